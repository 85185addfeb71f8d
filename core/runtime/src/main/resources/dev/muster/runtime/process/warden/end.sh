# shellcheck shell=bash
# How all end that are left when the launcher has died.

end_all() {
    local began is_empty=''
    # Whoever ends by the signal leaves its children to process 1: this is the last moment to see whose they are.
    look_at_clock
    look_until=$((now + 50))
    look
    warn_groups
    while began=$now; do
        if look; then
            # Whoever was being started when the launcher died carries the marker a moment later.
            if ((${#left[@]} == 0)) && [[ $is_empty ]]; then return; fi
            if ((${#left[@]})); then is_empty=; else is_empty=1; fi
            warn_processes
        fi
        if ((now >= deadline)); then
            kill_late
            look_until=
        fi
        if ((now >= deadline + hanging)); then let_guard_end; fi
        pause_after_look "$began"
    done
}

# Every group gets TERM once, be it from the launcher or from here; its grace period counts from then.
warn_groups() {
    local pid earliest=''
    look_at_clock
    for pid in "${!leaders[@]}"; do
        look_at "$pid"
        [[ $start == "${leaders[$pid]}" ]] || continue
        if [[ ! ${group_warned[$pid]-} ]]; then
            signal_group TERM "$pid"
            group_warned[$pid]=$now
        fi
        if [[ ! $earliest ]] || ((group_warned[$pid] < earliest)); then earliest=${group_warned[$pid]}; fi
    done
    begun=$now
    deadline=$((${earliest:-$now} + grace)) look_until=$deadline
    note_members
}

# Whoever was in a group when that got its signal has had it, and may leave the group because of it.
note_members() {
    local pid at
    for pid in "${left[@]}"; do
        at=${group_warned[${group[$pid]}]-}
        if [[ $at && ! ${warned[${identity[$pid]}]-} ]] && ((${identity[$pid]#*:} < at - birth)); then
            warned[${identity[$pid]}]=$at
        fi
    done
}

# Who left its group, or was being forked when that got its signal, gets one of its own; not who was started later by one of ours.
warn_processes() {
    local pid id born at
    for pid in "${left[@]}"; do
        id=${identity[$pid]} born=${identity[$pid]#*:} at=${group_warned[${group[$pid]}]-}
        if [[ ${warned[$id]-} ]] || { [[ $at ]] && ((born < at - birth)); }; then
            continue
        fi
        if ((born > ${at:-$begun} + birth)) && [[ ${is_left[${parent[$pid]}]-} ]]; then
            continue
        fi
        signal_process TERM "$pid"
        warned[$id]=$now
    done
}

# Everybody whose own grace period is over.
kill_late() {
    local pid at
    for pid in "${!leaders[@]}"; do
        look_at "$pid"
        if [[ $start == "${leaders[$pid]}" ]] && ((now >= group_warned[$pid] + grace)); then kill -s KILL -- "-$pid"; fi
    done
    for pid in "${left[@]}"; do
        at=${warned[${identity[$pid]}]-${group_warned[${group[$pid]}]-$begun}}
        if ((now >= at + grace)); then
            look_at "$pid"
            if [[ $pid:$start == "${identity[$pid]}" ]]; then kill -s KILL "$pid"; fi
        fi
    done
}

# Whoever is there so long after SIGKILL hangs in the kernel, as in a driver or a frozen group. Nobody waits for that any longer.
let_guard_end() {
    if [[ $guard ]]; then echo hanging >&8; fi
    exec 8>&-
    hanging=$((1 << 60))
}

# Looks that take long, as on a machine full of busy processes, are rarer as long as there is time.
pause_after_look() {
    local began=$1 length most=10
    look_at_clock
    length=$((4 * (now - began)))
    if ((now < deadline && ${#left[@]})); then most=100; fi
    if ((length < 5)); then length=5; fi
    if ((length > most)); then length=$most; fi
    if ((now < deadline && deadline - now < length)); then length=$((deadline - now)); fi
    while drain_outputs && ((length > 10)); do
        pause 10
        length=$((length - 10))
    done
    pause "$length"
}
