# shellcheck shell=bash
# Sourced by ./verify: the real frameworks that end-to-end tests train with. What cannot be had is a failure in CI; elsewhere its
# tests are skipped, after one line that says why.

# The one place that says which TensorFlow; pip finds what it needs.
tensorflow_version=2.21.0

# Sets torch_python to Debian's Python with PyTorch, empty when there is none: Debian's package is a ninth of the size of PyPI's.
find_torch() {
  torch_python=/usr/bin/python3
  if ! has_module "$torch_python" torch.distributed; then
    if ! can_install; then
      without PyTorch "/usr/bin/python3 has no torch; sudo apt-get install python3-torch helps"
      torch_python=
    elif ! apt_install python3-torch || ! has_module "$torch_python" torch.distributed; then
      without PyTorch "apt-get could not install python3-torch, see above"
      torch_python=
    fi
  fi
}

# Sets tensorflow_python to a Python with TensorFlow, empty when there is none. Debian has no TensorFlow.
find_tensorflow() {
  find_venv tensorflow_python TensorFlow "tensorflow-$tensorflow_version" tensorflow-cpu tensorflow "tensorflow-cpu==$tensorflow_version"
  [[ ! $tensorflow_python ]] || import_less "${tensorflow_python%/bin/python}"
}

# Sets mkdocs_python to a Python with MkDocs, which makes the site of the documentation, empty when there is none.
# shellcheck disable=SC2034 # ./verify tells the tests
find_mkdocs() {
  find_venv mkdocs_python MkDocs "mkdocs-$(sha256sum <docs/requirements.txt | cut -c -12)" mkdocs-material mkdocs -r docs/requirements.txt
}

# Tests of muster stacks look for it there, and run without it too.
find_py_spy() {
  # shellcheck disable=SC2034 # The tests find the program by its place.
  local py_spy_python
  find_venv py_spy_python py-spy py-spy-0.4.3 py-spy pip py-spy==0.4.3
}

# find_venv VARIABLE TITLE NAME PACKAGE MODULE REQUIREMENT...: sets the variable to the Python of a virtual environment that has a package.
# It is under the user's cache folder, where "mvn clean" does not find it. The name changes with the version of what is in it.
find_venv() {
  local -n found=$1
  local title=$2 cache=${XDG_CACHE_HOME:-${HOME-}/.cache}/muster problem
  local place=$cache/$3 package=$4
  found=$place/bin/python
  ! has_package "$found" "$package" || return 0
  if ! problem=$({ mkdir -p "$cache" && : >>"$place.lock"; } 2>&1) ||
    ! problem=$(install_venv "$place" "$title" "${@:4}"); then
    without "$title" "$problem"
    found=
  fi
}

# Two fifths of what an import costs, which every process of every test pays, are Python's searches for garbage (at the end of the
# process for the last time, among all that was made), and Keras, which TensorFlow imports unless the one to use is of before it.
import_less() {
  local packages
  local line='import atexit, gc, os; gc.disable(); atexit.register(gc.freeze); os.environ.setdefault("TF_USE_LEGACY_KERAS", "1")'
  for packages in "$1"/lib/python3.*/site-packages; do
    # One that an older ./verify has made has another line.
    [[ ! -w $packages || $(cat "$packages/muster-tests.pth" 2>/dev/null) == "$line" ]] ||
      printf '%s\n' "$line" >"$packages/muster-tests.pth"
  done
}

# Sets mpi_python to Debian's Python with mpi4py, empty when there is none, and installs what tests of real MPI jobs on several
# hosts need besides: Open MPI, a ssh server, and ip, which makes the hosts. Debian starts the ssh server at once where something
# starts services: that is for the machine's owner to decide, not for a test.
find_mpi() {
  mpi_python=/usr/bin/python3
  has_mpi && return
  if ! can_install || [[ ${CI-} != true && -d /run/systemd/system ]]; then
    without "Open MPI with ssh" "sudo apt-get install ${mpi_packages[*]} helps"
    mpi_python=
  elif ! apt_install "${mpi_packages[@]}" || ! has_mpi; then
    without "Open MPI with ssh" "apt-get could not install ${mpi_packages[*]}, see above"
    mpi_python=
  fi
}

readonly mpi_packages=(openmpi-bin openssh-server iproute2 python3-mpi4py)

# A user's PATH may lack the directories of ip and sshd.
has_mpi() {
  local program
  for program in mpirun ssh sshd ip; do
    PATH=$PATH:/usr/sbin:/sbin type -P "$program" >/dev/null || return
  done
  has_module "$mpi_python" mpi4py
}

# Installs what tests on a real Slurm cluster need: its daemons, munge, and ip, which makes the nodes. Sets slurm to true, or to empty
# where they cannot be had. As with the ssh server, Debian starts the daemons at once where something starts services.
# shellcheck disable=SC2034 # ./verify tells the tests
find_slurm() {
  slurm=true
  has_slurm && return
  if ! can_install || [[ ${CI-} != true && -d /run/systemd/system ]]; then
    without Slurm "sudo apt-get install ${slurm_packages[*]} helps"
    slurm=
  elif ! apt_install "${slurm_packages[@]}" || ! has_slurm; then
    without Slurm "apt-get could not install ${slurm_packages[*]}, see above"
    slurm=
  fi
}

readonly slurm_packages=(slurmctld slurmd slurm-client slurm-wlm-basic-plugins munge iproute2)

has_slurm() {
  local program
  for program in slurmctld slurmd srun scontrol munged ip; do
    PATH=$PATH:/usr/sbin:/sbin type -P "$program" >/dev/null || return
  done
}

# Tests of containers and hosts make them of namespaces; containers themselves are often not allowed to.
find_rights() {
  local problem
  if ((EUID != 0)); then
    without root "this is uid $EUID"
  elif ! problem=$(unshare --mount --uts --ipc --net --pid --fork --mount-proc true 2>&1); then
    without namespaces "$problem"
  elif [[ ! -e /etc/hosts ]]; then
    # What makes a container makes this file too, unlike what makes a Debian root; hosts made by tests mount theirs over it.
    printf 'verify: making /etc/hosts, which this machine has not\n' >&2
    printf '127.0.0.1 localhost\n::1 localhost ip6-localhost\n' >/etc/hosts
  fi
}

# Launchers trust nothing that lies where others could exchange it, so in such a /tmp tests of plugins and configuration files fail.
find_trusted_tmp() {
  local mode
  mode=$(stat -L -c %a /tmp)
  ((8#$mode & 8#0022 && !(8#$mode & 8#1000))) || return 0
  if [[ ${CI-} == true ]] && chmod +t /tmp 2>/dev/null; then
    printf 'verify: making /tmp sticky, which was %s\n' "$mode" >&2
    return
  fi
  printf 'verify: /tmp is %s: others could exchange what tests have there. sudo chmod +t /tmp helps\n' "$mode" >&2
  exit 69
}

# find_tools PROGRAM=PACKAGE...: installs Debian's packages of programs that are missing, all at once where it has all. They start nothing.
find_tools() {
  local tool package packages=()
  for tool in "$@"; do
    type -P "${tool%=*}" >/dev/null || packages+=("${tool#*=}")
  done
  if ((${#packages[@]} > 0)) && can_install && ! apt_install "${packages[@]}"; then
    for package in "${packages[@]}"; do
      apt_install "$package" || :
    done
  fi
  for tool in "$@"; do
    type -P "${tool%=*}" >/dev/null || without "${tool%=*}" "sudo apt-get install ${tool#*=} may help"
  done
}

# Says that a framework is missing, and ends where it must not be.
without() {
  if [[ ${CI-} == true ]]; then
    printf 'verify: no %s here (%s), and its tests must run in CI\n' "$1" "$2" >&2
    exit 69
  fi
  printf 'verify: no %s here (%s): its tests are skipped\n' "$1" "$2" >&2
}

# Whether a Python can import a module.
has_module() {
  [[ -x $1 ]] && TF_CPP_MIN_LOG_LEVEL=3 "$1" -c "import $2" </dev/null >/dev/null 2>&1
}

# Whether a Python has a package; without an import, which takes seconds and was tried when it was installed.
has_package() {
  [[ -x $1 ]] && "$1" -c 'import sys; from importlib.metadata import version; version(sys.argv[1])' "$2" 2>/dev/null
}

# install_venv PLACE TITLE PACKAGE MODULE REQUIREMENT...: makes the virtual environment; prints the reason when it cannot. The lock is for
# two runs at the same time; what a run that was killed has left half-built is overwritten by the next one, never used: only a complete one
# gets the name.
install_venv() {
  local place=$1 part=$1.part log=$1.log python
  (
    flock 9
    ! has_package "$place/bin/python" "$3" || exit 0
    python=$(python_for_venv) || fail "$python"
    printf 'verify: installing %s in %s\n' "$2" "$place" >&2
    rm -rf "$part" "$place"
    if build_venv "$python" "$part" "${@:4}" >"$log" 2>&1 && mv -T "$part" "$place" 2>>"$log"; then
      exit 0
    fi
    rm -rf "$part"
    [[ ${CI-} != true ]] || cat "$log" >&2
    fail "$(grep -v '^$' "$log" | tail -n 1); more of it is in $log"
  ) 9>"$1.lock"
}

fail() {
  printf '%s' "$1"
  exit 1
}

# build_venv PYTHON PLACE MODULE REQUIREMENT... Programs in its bin other than python name the place where it was built, so nobody calls them.
build_venv() {
  "$1" -m venv "$2" || return
  "$2/bin/python" -m pip install --no-input --disable-pip-version-check "${@:4}" </dev/null || return
  "$2/bin/python" -c "import $3" </dev/null
}

# Prints a Python that can make virtual environments and that TensorFlow and MkDocs support; the reason when there is none.
python_for_venv() {
  first_python && return
  if [[ -x /usr/bin/python3 ]] && ! has_module /usr/bin/python3 ensurepip && can_install && apt_install python3-venv; then
    first_python && return
  fi
  printf 'it needs a python3 of 3.10 to 3.13 with venv; sudo apt-get install python3-venv may help'
  return 1
}

first_python() {
  local python
  for python in "$(type -P python3)" /usr/bin/python3; do
    if has_module "$python" 'sys, venv, ensurepip; sys.exit(not (3, 10) <= sys.version_info[:2] <= (3, 13))'; then
      printf '%s\n' "$python"
      return 0
    fi
  done
  return 1
}
