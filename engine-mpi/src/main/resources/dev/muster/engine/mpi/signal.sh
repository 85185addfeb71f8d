# Sends TERM to the ranks of this run on hosts where no launcher runs, if ssh reaches them. It finds them by their marker and by
# variables that only ranks have. The marker goes over standard input, since no other user may see it.
#
# Arguments: private directory; program, more arguments and port for client; the names of these variables with blanks between them;
# hosts.
# shellcheck disable=SC2034
program=$2 more=$3 port=$4 marks=$5
shift 5

here() {
  echo "$(cat /proc/sys/kernel/random/boot_id) $(readlink /proc/self/ns/pid)"
}

end_ranks() {
  echo "marker=$MUSTER_JOB marks='$marks' launchers='$(here)'"
  cat <<'SCRIPT'
# The launcher itself signals the ranks of its own container, and no rank must get TERM twice.
[ "$launchers" != "$(cat /proc/sys/kernel/random/boot_id) $(readlink /proc/self/ns/pid)" ] || exit 0
line='
'
for file in /proc/[0-9]*/environ; do
  text=$line$(tr '\0' '\n' <"$file" 2>/dev/null) || continue
  case $text in *"${line}MUSTER_JOB=$marker"*) ;; *) continue ;; esac
  for mark in $marks; do
    case $text in
      *"$line$mark="*)
        pid=${file#/proc/}
        kill -TERM "${pid%/environ}"
        break
        ;;
    esac
  done
done
SCRIPT
}

for host; do
  end_ranks | client "$host" /bin/sh >/dev/null 2>&1 &
done
wait
