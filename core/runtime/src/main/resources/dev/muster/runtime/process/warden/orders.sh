# shellcheck shell=bash
# What the launcher orders. Each line is a number and an order, and is answered by the number once it is done, or just before a signal
# to one goes out:
#   adopt PID START | know PID:START... | first PID:START... | forget PID:START...
#   groups SIGNAL PID:START... | processes SIGNAL PID:START... | warned groups|processes PID:START:AGE... | grace N | ping | quit
# START is when a process started, as in field 22 of /proc/PID/stat: a pid alone may be a stranger's by now. AGE is how many hundredths
# of a second ago it got its TERM from the warden before this one. With "grace" all have N hundredths of a second from then on.

carry_out() {
    local verb=${1-} each
    (($# == 0)) || shift
    case $verb in
        adopt) if (($1 > 1)); then adopt "$1" "$2"; fi ;;
        know) for each; do ours[$each]=1; done ;;
        first) for each; do first[$each]=1; done ;;
        forget) for each; do unset "ours[$each]" "first[$each]" "warned[$each]"; done ;;
        groups) order_groups "$@" ;;
        processes) order_processes "$@" ;;
        warned) order_warned "$@" ;;
        grace) order_grace "$@" ;;
        quit) exit 0 ;;
    esac
}

answer() {
    if [[ $number != "$last" ]]; then
        last=$number
        echo "$number"
    fi
}

# Whoever gets the signal may kill this shell because of it, before another word: the launcher must know then that it was sent.
answer_for_one() {
    if (($1 == 1)); then answer; fi
}

adopt() {
    leaders[$1]=$2 ours[$1:$2]=1
    look_at "$1"
    if [[ $start == "$2" && $state != [XZ] ]]; then
        hold_output "$1"
    else
        missed[$1]=1
    fi
}

order_groups() {
    local signal=$1 each
    shift
    look_at_clock
    for each; do
        look_at "${each%:*}"
        if [[ $start == "${each#*:}" ]]; then
            answer_for_one $#
            signal_group "$signal" "${each%:*}"
            if [[ $signal == TERM ]]; then group_warned[${each%:*}]=$now; fi
        elif [[ ! $start ]]; then
            signal_members "$signal" "${each%:*}"
        fi
    done
}

order_processes() {
    local signal=$1 each
    shift
    look_at_clock
    for each; do
        look_at "${each%:*}"
        if [[ $start == "${each#*:}" ]]; then
            answer_for_one $#
            signal_process "$signal" "${each%:*}"
            if [[ $signal == TERM ]]; then warned[$each]=$now; fi
        fi
    done
}

# A process that has just been started may not have made its group yet.
signal_group() {
    kill -s "$1" -- "-$2" || kill -s "$1" "$2"
    if [[ $1 != KILL ]]; then kill -s CONT -- "-$2"; fi
}

# Whoever stands still obeys TERM only when it goes on.
signal_process() {
    kill -s "$1" "$2"
    if [[ $1 == TERM ]]; then kill -s CONT "$2"; fi
}

# A group whose leader has ended: its number may be a stranger's by now, but whoever is known to be ours is not.
signal_members() {
    local pid
    look
    for pid in "${left[@]}"; do
        if [[ ${group[$pid]} == "$2" ]]; then
            signal_process "$1" "$pid"
            if [[ $1 == TERM ]]; then warned[${identity[$pid]}]=$now; fi
        fi
    done
}

order_warned() {
    local kind=$1 each age
    shift
    look_at_clock
    for each; do
        age=${each##*:} each=${each%:*}
        if [[ $kind == groups ]]; then
            group_warned[${each%:*}]=$((now - age))
        else
            warned[$each]=$((now - age))
        fi
    done
}

order_grace() {
    local each
    grace=$1
    look_at_clock
    for each in "${!group_warned[@]}"; do group_warned[$each]=$now; done
    for each in "${!warned[@]}"; do warned[$each]=$now; done
}
