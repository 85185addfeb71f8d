# shellcheck shell=bash
# Ranks whom another process has started, such as an mpirun: they are ended before all others.

# As the launcher itself does it: the others have what is left of the grace period, but five seconds, or all of a shorter one.
end_forerunners() {
    local found='' pid began latest=0 is_later='' least=$grace
    local -A is_warned_pid=()
    # As HostedRanks.STOPPING says.
    [[ ! $directory ]] || : > "$directory/stopping"
    look_at_clock
    local end=$((now + grace))
    look_until=$end
    while began=$now && look; do
        found=
        find_forerunners
        for pid in "${left[@]}"; do
            if [[ ${first[${identity[$pid]}]-} ]]; then
                warn_forerunner "$pid"
                found=1
            fi
        done
        deadline=$((latest + grace)) look_until=$deadline
        if [[ ! $found ]] || ((now >= deadline)); then break; fi
        is_later=1
        pause_after_look "$began"
    done
    [[ ! $found ]] || kill_forerunners
    look_at_clock
    if ((least > 500)); then least=500; fi
    grace=$((end - now > least ? end - now : least))
}

# A program may overwrite its environment, or start others without: whoever descends from a forerunner is one, too.
find_forerunners() {
    local pid found=1
    local -A is_first=()
    for pid in "${left[@]}"; do
        if [[ ${first[${identity[$pid]}]-} ]] || is_forerunner "$pid"; then is_first[$pid]=1; fi
    done
    while [[ $found ]]; do
        found=
        for pid in "${left[@]}"; do
            if [[ ! ${is_first[$pid]-} && ${is_first[${parent[$pid]}]-} ]]; then is_first[$pid]=1 found=1; fi
        done
    done
    for pid in "${!is_first[@]}"; do first[${identity[$pid]}]=1; done
}

is_forerunner() {
    local variable name
    while IFS= read -r -d '' variable; do
        for name in $forerunners; do
            case $variable in "$name="*) return 0 ;; esac
        done
    done < "/proc/$1/environ"
    return 1
}

# Whoever is started after the signal by somebody who got it helps to put things away, and is left in peace.
warn_forerunner() {
    local id=${identity[$1]}
    if [[ ${warned[$id]-} ]]; then
        latest=$((warned[$id] > latest ? warned[$id] : latest))
    elif [[ ! $is_later || ! ${is_warned_pid[${parent[$1]}]-} ]]; then
        signal_process TERM "$1"
        warned[$id]=$now latest=$now
    fi
    is_warned_pid[$1]=1
}

# Whoever hosts them would tell them to end once more, and wait for them. As Forerunning says: shells that wait for ranks come last.
kill_forerunners() {
    local pid found=1
    local -A shells=()
    find_shells
    look_at_clock
    deadline=$((now + 100)) look_until=
    while [[ $found ]]; do
        found=
        look_at_clock
        if ((now >= deadline)); then shells=(); fi
        for pid in "${left[@]}"; do
            [[ ${first[${identity[$pid]}]-} ]] || continue
            found=1
            [[ ! ${shells[${identity[$pid]}]-} ]] || continue
            look_at "$pid"
            if [[ $pid:$start == "${identity[$pid]}" ]]; then kill -s KILL "$pid"; fi
        done
        ((now < deadline)) || return
        pause_after_look "$now"
        look
        find_forerunners
    done
}

# Those whose ends are the ranks', as HostedRanks.STARTED says; by PID:START.
find_shells() {
    local file pid at
    for file in "$directory"/started.*; do
        [[ -f $file && ! -h $file ]] && read -r pid at < "$file" && shells[$pid:$at]=1
    done
}
