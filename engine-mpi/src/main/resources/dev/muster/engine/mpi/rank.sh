# shellcheck shell=sh
# Sourced by the shell that starts a rank: sets the facts about this host that Open MPI needs and node 0 does not know. The shell then
# becomes the launcher's program, which runs the command in its arguments.
#
# muster_place is the private directory of this host's launcher.

# The name of Open MPI's session directory has the pid of an mpirun. Another mpirun may have that pid when a launcher reads the list
# "elsewhere". So a file in the directory tells which run it belongs to.
note_session() {
  muster_session=${OMPI_MCA_orte_jobfam_session_dir-${PMIX_SERVER_TMPDIR-}}
  case $muster_session in
    "$muster_place"/* | *[!/A-Za-z0-9._+-]*) return ;;
    /*/ompi.*/*) printf '%s\n' "$muster_session" "${muster_session%/*}/" ;;
    /*/prte*.*) printf '%s\n' "$muster_session" ;;
    *) return ;;
  esac >>"${muster_place:?}/elsewhere"
  true >"$muster_session/${muster_place##*/}"
}

# Gives shared memory a directory of this run, which the launcher removes with the run, unless the user has chosen another directory.
share() {
  ! grep -qs backing_directory "${HOME-}/.openmpi/mca-params.conf" || return 0
  muster_shared=/dev/shm/${muster_place##*/}
  [ "$muster_shared" != "$muster_place" ] || muster_shared=$muster_place/shm
  [ -d "$muster_shared" ] || { echo "$muster_shared" >>"$muster_place/elsewhere" && mkdir -m 700 "$muster_shared" 2>/dev/null; }
  # Another user may have made it first.
  [ -d "$muster_shared" ] && [ ! -L "$muster_shared" ] && [ -O "$muster_shared" ] && [ -w "$muster_shared" ] || return 0
  for muster_user in btl_vader btl_sm osc_sm osc_rdma; do
    eval "export OMPI_MCA_${muster_user}_backing_directory=\"\${OMPI_MCA_${muster_user}_backing_directory-\$muster_shared}\""
  done
}

# bash sets them; the launcher's program restores the user's values later.
unset SHLVL OLDPWD
if [ -n "${OMPI_COMM_WORLD_RANK-}" ]; then
  case $muster_place in
    */muster-*)
      [ "${OMPI_COMM_WORLD_LOCAL_RANK-0}" != 0 ] || note_session
      # A shell that cannot fork ends at once. mpirun then ends with this code, and start.sh finds the message.
      trap 'echo "muster: no more processes or threads can be started: a limit is reached (ulimit -u, or pids.max of the container)" >&2; exit 75' EXIT
      share
      trap - EXIT
      ;;
  esac
  # MPI gets the listed interfaces that this host has.
  if [ -s "$muster_place/interfaces" ]; then
    read -r OMPI_MCA_btl_tcp_if_include <"$muster_place/interfaces"
    export OMPI_MCA_btl_tcp_if_include
  fi
fi
export MUSTER_STOP_NOTE="$muster_place/stopping"
IFS= read -r muster_program <"$muster_place/program"
set -- "$muster_program" --rank-of-host -- "$@"
