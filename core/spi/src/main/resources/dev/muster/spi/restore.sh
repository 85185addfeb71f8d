# shellcheck shell=sh
# The beginning of scripts that start programs of the user's: gives back what a shell, or a script, changes in the environment.
# Of the usual shells only bash changes variables that matter by itself, and dash, which changes none, drops those whose names no
# shell could write.

# Becomes a program. Whoever calls this is a shell of its own, whose number in "$$" is that of the shell around it, and calls "refused"
# where that ends because it can make no process.
# shellcheck disable=SC2034
become() {
  trap refused EXIT
  # The user's own variables, should there be any with names such as these scripts have.
  case $(export -p) in
    *"export muster_"* | *"declare -x muster_"* | *"export IFS"*)
      muster_own=$(tr '\n\0' '\001\n' </proc/$$/environ | grep -E '^(muster_[A-Za-z0-9_]*|IFS)=')
      give_back "$muster_own"
      ;;
  esac
  trap - EXIT
  # Not BASH_VERSION, which others take out of the environment.
  command -v shopt >/dev/null || exec "$@"
  unset SHLVL OLDPWD
  # Only bash comes here, which can read up to a zero byte. The first word is what env sets: bash sets "_" anew itself.
  # shellcheck disable=SC3045
  while IFS= read -r -d '' REPLY; do
    case $REPLY in
      _=*) set -- env "$REPLY" "$@" ;;
      FUNCNEST=* | SHLVL=* | OLDPWD=* | IFS=* | OPTIND=* | LINENO=* | PS[124]=*) export "${REPLY?}" ;;
    esac
  done </proc/$$/environ
  exec "$@"
}

# Sets variables from lines of NAME=VALUE, in which a byte 1 stands for a line end.
give_back() {
  while [ -n "$1" ]; do
    set -- "${1%%
*}" "${1#"${1%%
*}"}"
    case $1 in
      *"$(printf '\001')"*) export "$(printf '%s' "${1%%=*}")=$(printf '%s_' "${1#*=}" | tr '\001' '\n')" ;;
      *) export "${1?}_" ;;
    esac
    eval "${1%%=*}=\${${1%%=*}%_}"
    set -- "${2#
}"
  done
}
