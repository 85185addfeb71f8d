# shellcheck shell=sh
# sshd runs this script for every login. It runs the command of mpirun, with the variables of this node.
#
# Argument: private directory.
# Values are in $1 and $2, not in variables, whose names the user might use.
set -- "$1" "${SSH_ORIGINAL_COMMAND-}"
unset SSH_ORIGINAL_COMMAND SSH_CLIENT SSH_CONNECTION SSH_TTY MAIL
if [ -z "$2" ]; then
  echo 'this sshd serves a job of Muster and gives no shell' >&2
  exit 1
fi
# shellcheck disable=SC1091
. "$1/variables"
export MUSTER_RANKS="$1"
exec /bin/sh -c "$2"
