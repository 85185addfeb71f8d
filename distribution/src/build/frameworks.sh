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

# Sets tensorflow_python to a Python with TensorFlow, empty when there is none. Debian has no TensorFlow, so it is in a virtual
# environment under the user's cache folder, where "mvn clean" does not find it.
find_tensorflow() {
  local cache=${XDG_CACHE_HOME:-${HOME-}/.cache}/muster problem
  local place=$cache/tensorflow-$tensorflow_version
  tensorflow_python=$place/bin/python
  if ! has_tensorflow "$tensorflow_python"; then
    if ! problem=$({ mkdir -p "$cache" && : >>"$cache/tensorflow.lock"; } 2>&1) ||
      ! problem=$(install_tensorflow "$place" "$cache/tensorflow"); then
      without TensorFlow "$problem"
      tensorflow_python=
    fi
  fi
  [[ ! $tensorflow_python ]] || import_less "$place"
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

# Installs what checks the shell scripts of the jars; Debian's package is small, and starts nothing.
find_shellcheck() {
  type -P shellcheck >/dev/null && return
  if ! can_install; then
    without shellcheck "sudo apt-get install shellcheck helps"
  elif ! apt_install shellcheck; then
    without shellcheck "apt-get could not install shellcheck, see above"
  fi
}

# Installs what checks the native supervisor: analysers, an emulator of aarch64, and pip, which brings the compiler for that.
find_native_tools() {
  local tool
  local -A packages=([cppcheck]=cppcheck [clang-tidy]=clang-tidy [qemu-aarch64]=qemu-user [pip3]=python3-pip)
  for tool in "${!packages[@]}"; do
    type -P "$tool" >/dev/null && continue
    if ! can_install; then
      without "$tool" "sudo apt-get install ${packages[$tool]} helps"
    elif ! apt_install "${packages[$tool]}"; then
      without "$tool" "apt-get could not install ${packages[$tool]}, see above"
    fi
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

# Whether a Python has the TensorFlow that is wanted; without an import, which takes seconds and was tried when it was installed.
has_tensorflow() {
  [[ -x $1 ]] && [[ $("$1" -c 'from importlib.metadata import version; print(version("tensorflow-cpu"))' 2>/dev/null) == \
    "$tensorflow_version" ]]
}

# Makes the virtual environment; prints the reason when it cannot. The lock is for two runs at the same time; what a run that was
# killed has left half-built is overwritten by the next one, never used: only a complete one gets the name.
install_tensorflow() {
  local place=$1 part=$1.part log=$2.log python
  (
    flock 9
    ! has_tensorflow "$place/bin/python" || exit 0
    python=$(python_for_tensorflow) || fail "$python"
    printf 'verify: installing TensorFlow %s (1.5 GB) in %s\n' "$tensorflow_version" "$place" >&2
    rm -rf "$part" "$place"
    if build_tensorflow "$python" "$part" >"$log" 2>&1 && mv -T "$part" "$place" 2>>"$log"; then
      exit 0
    fi
    rm -rf "$part"
    [[ ${CI-} != true ]] || cat "$log" >&2
    fail "$(grep -v '^$' "$log" | tail -n 1); more of it is in $log"
  ) 9>"$2.lock"
}

fail() {
  printf '%s' "$1"
  exit 1
}

# Programs in its bin other than python name the place where it was built, so nobody calls them.
build_tensorflow() {
  "$1" -m venv "$2" || return
  "$2/bin/python" -m pip install --no-input --disable-pip-version-check "tensorflow-cpu==$tensorflow_version" </dev/null ||
    return
  "$2/bin/python" -c 'import tensorflow' </dev/null
}

# Prints a Python that can make virtual environments and that TensorFlow supports; the reason when there is none.
python_for_tensorflow() {
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
