#compdef muster
# Completion of muster for zsh, made from its table of options by "muster completion zsh".

# Columns: command or option, its commands, its engine, its values, its help.
typeset -g _muster_table='@TABLE@'

_muster() {
  local option=${words[CURRENT - 1]} command=launch engine='' line
  local -a row commands options names
  integer behind=${words[(i)--]} at=${words[(I)--engine]}
  if ((behind < CURRENT)); then
    # What the program takes.
    shift $behind words
    ((CURRENT -= behind))
    _normal
    return
  fi
  if ((at > 0)); then
    engine=${words[at + 1]}
  else
    engine=${${(M)words:#--engine=*}#--engine=}
  fi
  ((CURRENT == 2)) || [[ ${words[2]} == -* ]] || command=${words[2]}
  if [[ $PREFIX == --*=* ]]; then
    option=${PREFIX%%=*}
    compset -P '*='
  elif [[ $option == -o && $PREFIX == *=* ]]; then
    option=--${PREFIX%%=*}
    compset -P '*='
  fi
  for line in ${(f)_muster_table}; do
    row=("${(@ps:\t:)line}")
    if [[ $row[2] == - ]]; then
      commands+=("$row[1]:$row[5]")
      if ((CURRENT == 3)) && [[ $row[1] == $command && $row[4] != - ]]; then
        compadd -- ${=row[4]}
        return
      fi
    elif [[ ,$row[2], == *,$command,* && ($row[3] == - || $row[3] == $engine) ]]; then
      if [[ $row[1] == $option && $row[4] != - ]]; then
        case $row[4] in
          TEXT) _message -r $row[5] ;;
          FILE) _files ;;
          DIR) _files -/ ;;
          ASSIGNMENT)
            names=(${${(M)${(f)_muster_table}:#*$'\t'$engine$'\t'*}%%$'\t'*})
            compadd -S = -- ${names#--}
            ;;
          *) compadd -- ${=row[4]} ;;
        esac
        return
      fi
      options+=("$row[1]:$row[5]")
    fi
  done
  if ((CURRENT == 2)) && [[ $PREFIX != -* ]]; then
    _describe -t commands command commands
  else
    _describe -o -t options option options
  fi
}

if [[ $funcstack[1] == _muster ]]; then
  _muster "$@"
else
  compdef _muster muster
fi
