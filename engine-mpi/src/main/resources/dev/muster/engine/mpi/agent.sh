# shellcheck shell=sh
# What sshd runs for every login: whatever mpirun asks for, with the variables of this node.
#
# Argument: private directory.
umask 077
private=$1
asked=${SSH_ORIGINAL_COMMAND-}
unset SSH_ORIGINAL_COMMAND SSH_CLIENT SSH_CONNECTION SSH_TTY MAIL
if [ -z "$asked" ]; then
  echo 'this sshd serves a job of Muster and gives no shell' >&2
  exit 1
fi
# shellcheck disable=SC1091
. "$private/variables"
export MUSTER_RANKS="$private"
exec /bin/sh -c "$asked"
