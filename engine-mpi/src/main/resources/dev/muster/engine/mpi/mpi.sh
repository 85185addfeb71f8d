# shellcheck shell=sh disable=SC2034,SC2317
# The beginning of rank.sh under an mpirun.
#
# MUSTER_RANKS is the private directory of this host's launcher.
muster_place=$MUSTER_RANKS
unset MUSTER_RANKS
muster_rank=${OMPI_COMM_WORLD_RANK-${PMIX_RANK-${PMI_RANK-0}}}

make_ready() {
  [ -n "${OMPI_COMM_WORLD_RANK-}" ] || return 0
  [ "${OMPI_COMM_WORLD_LOCAL_RANK-0}" != 0 ] || note_session
  share
}

# What Open MPI has outside of that directory, and leaves when it is killed, goes with it: the file "elsewhere" lists it. Its name is the pid
# of an mpirun, which may be another one's by the time that a launcher finds the list. So a file there says whose it is.
note_session() {
  muster_session=${OMPI_MCA_orte_jobfam_session_dir-${PMIX_SERVER_TMPDIR-}}
  case $muster_session in
    "$muster_place"/* | *[!/A-Za-z0-9._+-]*) return ;;
    /*/ompi.*/*) printf '%s\n' "$muster_session" "${muster_session%/*}/" ;;
    /*/prte*.*) printf '%s\n' "$muster_session" ;;
    *) return ;;
  esac >>"$muster_place/elsewhere"
  case $muster_place in
    */muster-*) true >"$muster_session/${muster_place##*/}" ;;
  esac
}

# Shared memory gets a directory of the run's own beside the usual place, unless the user has chosen another.
share() {
  case $muster_place in */muster-*) ;; *) return ;; esac
  muster_chosen=${HOME-}/.openmpi/mca-params.conf
  [ ! -f "$muster_chosen" ] || ! grep -q backing_directory "$muster_chosen" || return 0
  muster_shared=/dev/shm/${muster_place##*/}
  [ "$muster_shared" != "$muster_place" ] || muster_shared=$muster_place/shm
  if [ ! -d "$muster_shared" ]; then
    echo "$muster_shared" >>"$muster_place/elsewhere"
    mkdir -m 700 "$muster_shared" 2>/dev/null
  fi
  # Somebody else may have been quicker.
  [ -d "$muster_shared" ] && [ ! -L "$muster_shared" ] && [ -O "$muster_shared" ] && [ -w "$muster_shared" ] || return 0
  export OMPI_MCA_btl_vader_backing_directory="${OMPI_MCA_btl_vader_backing_directory-$muster_shared}"
  export OMPI_MCA_btl_sm_backing_directory="${OMPI_MCA_btl_sm_backing_directory-$muster_shared}"
  export OMPI_MCA_osc_sm_backing_directory="${OMPI_MCA_osc_sm_backing_directory-$muster_shared}"
  export OMPI_MCA_osc_rdma_backing_directory="${OMPI_MCA_osc_rdma_backing_directory-$muster_shared}"
}

# Whoever starts ranks would still end those of other hosts, and Open MPI sleeps for two seconds even when nobody is left. The launcher has
# decided how the job ends once it stops ranks, whatever mpirun ends with.
is_decided() {
  muster_tries=40
  until [ -e "$muster_place/stopping" ]; do
    [ "$muster_tries" -gt 0 ] && [ -d "$muster_place" ] && sleep 0.05 || return
    muster_tries=$((muster_tries - 1))
  done
}

# Where Open MPI tells a rank its command, it shall be the rank's own.
if [ -n "${OMPI_COMMAND-}" ]; then
  muster_program=$1
  OMPI_COMMAND=${1##*/}
  shift
  OMPI_ARGV=$*
  set -- "$muster_program" "$@"
  [ -n "$OMPI_ARGV" ] || unset OMPI_ARGV
fi
# Of the interfaces that were listed, MPI gets those that this host has; node 0 does not know them.
if [ -n "${OMPI_COMM_WORLD_RANK-}" ] && [ -s "$muster_place/interfaces" ]; then
  read -r OMPI_MCA_btl_tcp_if_include <"$muster_place/interfaces"
  export OMPI_MCA_btl_tcp_if_include
fi
