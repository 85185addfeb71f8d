# shellcheck shell=sh
# Put before scripts that call hosts which run sshd themselves. Calls the same program as mpirun, without questions to the user.
# Arguments: a host, and a command for it. Variables: "program", perhaps with arguments, "more" arguments, "port" or "-", and
# "patience", the seconds that a host may take to answer.
client() {
  # The shell must split these words, but must not expand patterns.
  set -f
  # shellcheck disable=SC2154
  shell=${program%%:*}
  case ${shell%% *} in
    ssh | */ssh) shell="$shell -o BatchMode=yes -o ConnectTimeout=${patience:-10}" ;;
  esac
  # shellcheck disable=SC2154
  [ "$port" = - ] || shell="$shell -p $port"
  # shellcheck disable=SC2086,SC2154
  $shell $more "$@"
}
