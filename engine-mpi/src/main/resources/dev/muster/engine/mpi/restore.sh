# shellcheck shell=sh
# The beginning of scripts that start programs of the user's: gives back what a shell changes in the environment itself;
# "muster_last" is left to env. Of the usual shells only bash changes variables that matter, and dash, which changes none, drops
# those whose names no shell could write.
# shellcheck disable=SC2034
restore() {
  [ -n "${BASH_VERSION-}" ] || return 0
  unset SHLVL OLDPWD
  # Only bash comes here, which can read up to a zero byte.
  # shellcheck disable=SC3045
  while IFS= read -r -d '' muster_entry; do
    case $muster_entry in
      # bash sets it anew for every program that it starts.
      _=*) muster_last=$muster_entry ;;
      SHLVL=* | OLDPWD=* | IFS=* | OPTIND=* | LINENO=* | PS[124]=*) export "${muster_entry?}" ;;
    esac
  done </proc/$$/environ
}
