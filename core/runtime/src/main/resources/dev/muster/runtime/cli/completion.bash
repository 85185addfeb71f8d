# Completion of muster for bash, made from its table of options by "muster completion bash".

# Columns: command or option, its commands, its engine, its values, its help.
_muster_table='@TABLE@'

_muster() {
  local IFS=$'\n' word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]} command=launch engine='' at line row lines words=()
  COMPREPLY=()
  # bash takes the = of --option=value, and of -o name=value, for a word of its own.
  if [[ $word == = ]]; then
    word=''
  elif [[ $option == = ]]; then
    option=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  [[ $option == -* ]] || option=--$option
  for ((at = 1; at < COMP_CWORD; at++)); do
    case ${COMP_WORDS[at]} in
      --)
        _muster_program "$((at + 1))"
        return
        ;;
      --engine)
        engine=${COMP_WORDS[at + 1]}
        [[ $engine != = ]] || engine=${COMP_WORDS[at + 2]-}
        ;;
    esac
  done
  ((COMP_CWORD == 1)) || [[ ${COMP_WORDS[1]} == -* ]] || command=${COMP_WORDS[1]}
  mapfile -t lines <<<"$_muster_table"
  for line in "${lines[@]}"; do
    IFS=$'\t' read -r -a row <<<"$line"
    if [[ ${row[1]} == - ]]; then
      if ((COMP_CWORD == 1)); then
        [[ $word == -* ]] || words+=("${row[0]}")
      elif [[ $COMP_CWORD == 2 && ${row[0]} == "$command" && ${row[3]} != - ]]; then
        words=("${row[3]// /$'\n'}")
        break
      fi
    elif [[ ",${row[1]}," == *",$command,"* && (${row[2]} == - || ${row[2]} == "$engine") ]]; then
      if [[ ${row[0]} == "$option" && ${row[3]} != - ]]; then
        _muster_values "${row[3]}"
        break
      fi
      [[ $COMP_CWORD == 1 && $word != -* ]] || words+=("${row[0]}")
    fi
  done
  COMPREPLY+=($(compgen -W "${words[*]}" -- "$word"))
}

# What a program takes behind --, as far as bash knows it.
_muster_program() {
  if declare -F _comp_command_offset >/dev/null; then
    _comp_command_offset "$1"
  elif declare -F _command_offset >/dev/null; then
    _command_offset "$1"
  elif ((COMP_CWORD == $1)); then
    COMPREPLY=($(compgen -c -- "$word"))
  else
    compopt -o default
  fi
}

# Sets words, or COMPREPLY for files.
_muster_values() {
  local line row
  words=()
  case $1 in
    TEXT) ;;
    FILE) compopt -o default ;;
    DIR) compopt -o dirnames ;;
    ASSIGNMENT)
      compopt -o nospace
      for line in "${lines[@]}"; do
        IFS=$'\t' read -r -a row <<<"$line"
        [[ ${row[2]} == - || ${row[2]} != "$engine" ]] || words+=("${row[0]#--}=")
      done
      ;;
    *) words=("${1// /$'\n'}") ;;
  esac
}

complete -F _muster muster
