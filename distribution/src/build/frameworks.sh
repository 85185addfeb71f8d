# shellcheck shell=bash
# Sourced by ./verify: finds or installs the real frameworks for end-to-end tests. In CI a missing framework is a failure. Elsewhere its
# tests are skipped, after one line that tells why.

# No other file has the version of TensorFlow. pip finds its dependencies.
tensorflow_version=2.21.0

# Sets torch_python to Debian's Python with PyTorch, or to empty without it. Debian's package has a ninth of the size of PyPI's.
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

# Sets tensorflow_python to a Python with TensorFlow, or to empty without it. Debian has no TensorFlow.
find_tensorflow() {
  find_venv tensorflow_python TensorFlow "tensorflow-$tensorflow_version" tensorflow-cpu tensorflow "tensorflow-cpu==$tensorflow_version"
  [[ ! $tensorflow_python ]] || import_less "${tensorflow_python%/bin/python}"
}

# Sets mkdocs_python to a Python with MkDocs, which builds the documentation's site, or to empty without it.
# shellcheck disable=SC2034 # ./verify tells the tests
find_mkdocs() {
  find_venv mkdocs_python MkDocs "mkdocs-$(sha256sum <docs/requirements.txt | cut -c -12)" mkdocs-material mkdocs -r docs/requirements.txt
}

# Tests of muster stacks look for py-spy there. They also run without it.
find_py_spy() {
  # shellcheck disable=SC2034 # The tests find the program by its place.
  local py_spy_python
  find_venv py_spy_python py-spy py-spy-0.4.3 py-spy pip py-spy==0.4.3
}

# find_venv VARIABLE TITLE NAME PACKAGE MODULE REQUIREMENT...: sets the variable to the Python of a virtual environment with a package.
# It is in the user's cache directory, which "mvn clean" does not delete. NAME contains the version of the content.
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

# Every process of a TensorFlow test imports TensorFlow. Two fifths of that time are Python's garbage collection, with a last one of all
# objects at the end of the process, and Keras 3, which TensorFlow does not import with TF_USE_LEGACY_KERAS.
import_less() {
  local packages
  local line='import atexit, gc, os; gc.disable(); atexit.register(gc.freeze); os.environ.setdefault("TF_USE_LEGACY_KERAS", "1")'
  for packages in "$1"/lib/python3.*/site-packages; do
    # The file of an older ./verify has another line.
    [[ ! -w $packages || $(cat "$packages/muster-tests.pth" 2>/dev/null) == "$line" ]] ||
      printf '%s\n' "$line" >"$packages/muster-tests.pth"
  done
}

# Sets mpi_python to Debian's Python with mpi4py, or to empty without it. Tests of real MPI jobs on several hosts also need Open MPI, an
# ssh server, and ip, which makes the hosts. On a machine with systemd, Debian starts the ssh server at once: only the machine's owner may
# decide that, not a test.
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

# The PATH of a user may lack the directories of ip and sshd.
has_mpi() {
  local program
  for program in mpirun ssh sshd ip; do
    PATH=$PATH:/usr/sbin:/sbin type -P "$program" >/dev/null || return
  done
  has_module "$mpi_python" mpi4py
}

# Installs the programs for tests on a real Slurm cluster: its daemons, munge, and ip, which makes the nodes. Sets slurm to true, or to
# empty if they are missing. As with the ssh server, Debian starts the daemons at once on a machine with systemd.
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

# Checks root and namespaces: tests make containers and hosts from namespaces, which is often not allowed inside a container.
find_rights() {
  local problem
  if ((EUID != 0)); then
    without root "this is uid $EUID"
  elif ! problem=$(unshare --mount --uts --ipc --net --pid --fork --mount-proc true 2>&1); then
    without namespaces "$problem"
  elif [[ ! -e /etc/hosts ]]; then
    # Container runtimes make this file; debootstrap does not. The hosts of tests mount their own file over it.
    printf 'verify: making /etc/hosts, which this machine has not\n' >&2
    printf '127.0.0.1 localhost\n::1 localhost ip6-localhost\n' >/etc/hosts
  fi
}

# Launchers do not trust a file that other users could replace. In such a /tmp tests of plugins and configuration files would fail.
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

# find_tools PROGRAM=PACKAGE...: installs the Debian packages of missing programs, all at once if Debian has all. They start no services.
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

# Reports a missing framework, and ends in CI.
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

# Whether a Python has a package. This does not import it, which takes seconds: the installation has tried that.
has_package() {
  [[ -x $1 ]] && "$1" -c 'import sys; from importlib.metadata import version; version(sys.argv[1])' "$2" 2>/dev/null
}

# install_venv PLACE TITLE PACKAGE MODULE REQUIREMENT...: makes the virtual environment, or prints why it cannot. The lock is for two runs
# at the same time. A run that is killed leaves an incomplete environment under another name, and the next run overwrites it: only a
# complete one gets the name PLACE.
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

# build_venv PYTHON PLACE MODULE REQUIREMENT... Do not call programs of its bin other than python: they contain the path PLACE of the build.
build_venv() {
  "$1" -m venv "$2" || return
  "$2/bin/python" -m pip install --no-input --disable-pip-version-check "${@:4}" </dev/null || return
  "$2/bin/python" -c "import $3" </dev/null
}

# Prints a Python that can make virtual environments and that TensorFlow and MkDocs support, or why there is none.
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
