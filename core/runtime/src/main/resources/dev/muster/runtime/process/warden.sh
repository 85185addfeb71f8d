# The warden: outlives the launcher and ends its processes when it dies. MUSTER_WARDEN holds the grace period in tenths of a
# second and the marker's value: the launcher may die before it has written anything. MUSTER_WARDEN_DIRECTORY is the run's
# private directory, which the launcher removes itself when it can. MUSTER_WARDEN_FIRST has the names of variables by which
# forerunners are known: they get TERM and the grace period before all others. Its input is a pipe from the launcher:
#   adopt PID | groups SIGNAL PID... | processes SIGNAL PID... | quit
# The end of the input without "quit" means that the launcher is dead. Signals are sent by the shell itself, without a fork,
# so that they go out when no process can be made any more.
trap '' TERM INT HUP QUIT USR1 USR2 PIPE
ticks=${MUSTER_WARDEN%% *}
random=${MUSTER_WARDEN#* }
directory=$MUSTER_WARDEN_DIRECTORY
forerunners=$MUSTER_WARDEN_FIRST
unset MUSTER_WARDEN MUSTER_WARDEN_DIRECTORY MUSTER_WARDEN_FIRST
# Whatever else goes wrong: an empty marker would be found in every process of the machine.
case $ticks in '' | *[!0-9]*) exit 1 ;; esac
case $random in
    *[!0-9a-f]*) exit 1 ;;
    ????????????????*) ;;
    *) exit 1 ;;
esac
# Put together only here, so that the shell's own environment does not carry it.
marker=MUSTER_JOB=$random
groups=' '

# A process that has just been started may not have made its group yet.
signal_group() {
    kill -s "$1" -- "-$2" 2>/dev/null || kill -s "$1" "$2" 2>/dev/null
    if [ "$1" != KILL ]; then
        kill -s CONT -- "-$2" 2>/dev/null
    fi
}

signal_groups() {
    for group in $groups; do
        signal_group "$1" "$group"
    done
}

# Sets "left" to the live processes of our groups and the carriers of the marker; zombies do not count.
look() {
    left=
    for entry in /proc/[0-9]*; do
        pid=${entry#/proc/}
        { read -r stat < "$entry/stat"; } 2>/dev/null || continue
        # shellcheck disable=SC2086
        set -- ${stat##*) }
        case $1 in Z | X) continue ;; esac
        case $groups in
            *" $3 "* | *" $4 "*) left="$left $pid" ;;
            *) if carries "$entry" "$marker"; then left="$left $pid"; fi ;;
        esac
    done
}

# Whether a process has a text in its environment.
carries() {
    {
        while read -r variables || [ -n "$variables" ]; do
            case $variables in *"$2"*) return 0 ;; esac
        done < "$1/environ"
    } 2>/dev/null
    return 1
}

# Sets "left" to "PID:PARENT" of the live carriers of the marker and of a variable of forerunners.
look_for_forerunners() {
    left=
    for entry in /proc/[0-9]*; do
        { read -r stat < "$entry/stat"; } 2>/dev/null || continue
        # shellcheck disable=SC2086
        set -- ${stat##*) }
        case $1 in Z | X) continue ;; esac
        if is_forerunner "$entry"; then left="$left ${entry#/proc/}:$2"; fi
    done
}

is_forerunner() {
    carries "$1" "$marker" || return 1
    for name in $forerunners; do
        if carries "$1" "$name=" && has_variable "$1" "$name"; then return 0; fi
    done
    return 1
}

# Whether a text found in an environment is the whole name of a variable, and not the end of another's: read cannot tell, for it
# drops what separates them. Where nobody can tell, it is.
has_variable() {
    grep -qz "^$2=" "$1/environ" 2>/dev/null
    [ $? != 1 ]
}

# Whoever is started after the signal by somebody who got it helps to put things away, and is left in peace.
tell_forerunner() {
    case $told in *" $1 "*) return ;; esac
    case $later$told in
        later*" $2 "*) ;;
        *) kill -s TERM "$1" 2>/dev/null; kill -s CONT "$1" 2>/dev/null ;;
    esac
    told="$told$1 "
}

# As the launcher itself does it: the others have what is left of the grace period, but five seconds, or all of a shorter one.
end_forerunners() {
    told=' ' later=
    least=$ticks
    [ "$least" -le 50 ] || least=50
    while [ "$ticks" -gt 0 ]; do
        look_for_forerunners
        [ -n "$left" ] || break
        for found in $left; do
            tell_forerunner "${found%:*}" "${found#*:}"
        done
        later=later
        ticks=$((ticks - 1))
        sleep 0.1
    done
    [ "$ticks" -ge "$least" ] || ticks=$least
}

while read -r verb first rest; do
    case $verb in
        adopt) if [ "$first" -gt 1 ]; then groups="$groups$first "; fi ;;
        groups) for pid in $rest; do signal_group "$first" "$pid"; done ;;
        processes) for pid in $rest; do kill -s "$first" "$pid" 2>/dev/null; done ;;
        quit) exit 0 ;;
    esac
done

[ -z "$forerunners" ] || end_forerunners
signal_groups TERM
told=
while :; do
    look
    [ -n "$left" ] || break
    for pid in $left; do
        case " $told " in
            *" $pid "*) ;;
            *) told="$told $pid"; kill -s TERM "$pid" 2>/dev/null ;;
        esac
    done
    if [ "$ticks" -le 0 ]; then
        signal_groups KILL
        for pid in $left; do kill -s KILL "$pid" 2>/dev/null; done
    fi
    ticks=$((ticks - 1))
    sleep 0.1
done

# Never anything but what a launcher has made.
case $directory in
    */muster-*/* | */..*) ;;
    /*/muster-*) rm -rf -- "$directory" ;;
esac
