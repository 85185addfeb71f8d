# shellcheck shell=sh
# The beginning of scripts that call hosts which serve ssh themselves. Calls what mpirun calls, which never asks anybody anything: a
# host, and a command for it. Its variables are "program", with arguments perhaps, "more" arguments, "port" or "-", and "patience",
# the seconds that a host may take to answer.
client() {
  # Words that the shell shall split, and do nothing else with.
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
