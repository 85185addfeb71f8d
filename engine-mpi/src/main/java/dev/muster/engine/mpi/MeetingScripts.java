package dev.muster.engine.mpi;

import dev.muster.spi.FileToWrite;

/**
 * The shell scripts by which launchers on several nodes find each other over a platform's ssh, which tells none of them where the
 * other's private directory is. Every launcher has a process, as long as it runs, whose command line says it: so nothing is left of
 * one that is killed.
 */
final class MeetingScripts {

    /** Finds the private directories of launchers that run, by their name, and does something for each: see {@code found}. */
    private static final String FIND = """
            line='
            '
            count=0
            for file in /proc/[0-9]*/cmdline; do
              [ -O "${file%/cmdline}" ] || continue
              text=$(tr '\\0' '\\n' <"$file" 2>/dev/null) || continue
              case $text in
                *"/note.sh$line"*"$line$name")
                  private=${text#*/note.sh"$line"}
                  private=${private%"$line"*}
                  [ -d "$private" ] && [ -O "$private" ] && found && count=$((count + 1))
                  ;;
              esac
            done
            [ "$count" -gt 0 ] || exit 3
            """;

    /**
     * Is there for others to find this launcher while it runs.
     *
     * <p>Arguments: private directory, name.
     */
    static final FileToWrite NOTE = Scripts.script("note", """
            child=
            trap 'kill $child 2>/dev/null; exit 0' HUP INT TERM
            while :; do
              sleep 1000 &
              child=$!
              wait "$child"
            done
            """);

    /**
     * Tells launchers on hosts something, all at once. One that starts only now is waited for a moment.
     *
     * <p>Arguments: private directory, configuration of ssh or {@code -}, port or {@code -}, {@code release} or {@code stop}, exit
     * code, what this node is called, reason, job, hosts.
     */
    static final FileToWrite DELIVER = Scripts.script("deliver", Scripts.CLIENT + """
            private=$1 config=$2 port=$3 word=$4 code=$5 label=$6 reason=$7 job=$8
            shift 8
            # What has come from the only one to tell is known there.
            if [ "$word" = stop ] && { [ -s "$private/release" ] || [ -s "$private/stop" ]; }; then
              exit 0
            fi
            case $reason in
              'node '* | 'rank '*) ;;
              *) reason="$label: $reason" ;;
            esac
            letter() {
              printf "name='%s' word=%s\\n" "$job.$1" "$word"
              # No word of ours begins as a letter's last line does.
              printf "found() {\\numask 077\\ncat >\\"\\$private/\\$word.\\$\\$\\" <<'LETTER'\\n%s %s\\nLETTER\\n" "$code" "$reason"
              cat <<'SCRIPT'
            ln "$private/$word.$$" "$private/$word" 2>/dev/null
            rm -f "$private/$word.$$"
            [ -s "$private/$word" ]
            }
            """ + FIND + """
            SCRIPT
            }
            deliver() {
              tries=0
              until said=$(letter "$1" | client "$1" /bin/sh 2>&1); do
                tries=$((tries + 1))
                if [ "$tries" -ge 10 ]; then
                  echo "$1 was not told: ${said:-no launcher of this job runs there}"
                  return
                fi
                sleep 1
              done
            }
            patience=5
            for host; do
              deliver "$host" &
            done
            wait
            """);

    /**
     * Watches the launcher that starts the ranks: makes the file {@code came} once it is there, and {@code lost} when it has been
     * gone for long.
     *
     * <p>Arguments: private directory, configuration of ssh or {@code -}, port or {@code -}, host, its name, seconds after which it
     * counts as lost.
     */
    static final FileToWrite WATCH = Scripts.script("watch", Scripts.CLIENT + """
            private=$1 config=$2 port=$3 host=$4 name=$5 limit=$6
            patience=5 alive=5
            pause=$((limit / 4))
            [ "$pause" -ge 1 ] || pause=1
            [ "$pause" -le 5 ] || pause=5
            child= last=0 told=-

            ask() {
              {
                printf "name='%s'\\nfound() { :; }\\n" "$name"
                cat <<'SCRIPT'
            """ + FIND + """
            SCRIPT
              } | client "$host" /bin/sh >"$private/said" 2>&1
            }

            # Why nobody is found, once: the log is looked at when nobody comes.
            complain() {
              said=$(tail -n 1 "$private/said")
              [ "$said" = "$told" ] || printf '%s\\n' "${said:-no launcher of this job runs on $host}"
              told=$said
            }

            # A trap waits for what runs in the foreground.
            behind() {
              "$@" &
              child=$!
              wait "$child"
            }

            now() {
              read -r seconds rest </proc/uptime
              seconds=${seconds%.*}
            }

            trap 'kill $child 2>/dev/null; exit 0' HUP INT TERM
            while :; do
              if behind ask; then
                now
                last=$seconds
                [ -e "$private/came" ] || {
                  echo "$host is there"
                  echo here >"$private/came"
                }
              elif [ -e "$private/came" ]; then
                now
                [ $((seconds - last)) -lt "$limit" ] || echo lost >"$private/lost"
              else
                complain
              fi
              behind sleep "$pause"
            done
            """);

    private MeetingScripts() {}
}
