# shellcheck shell=bash
# What ranks print when their launcher has died: read by nobody else, and so from here, until they have ended.

# When the launcher has died nobody else reads what a leader and all that it has started print. Whoever says that it saves something
# must not die of it (SIGPIPE), not even at once, nor wait for ever.
hold_output() {
    local fd descriptor
    for descriptor in 1 2; do
        if [[ -p /proc/$1/fd/$descriptor ]]; then
            [[ $descriptor == 1 || ! /proc/$1/fd/2 -ef /proc/$1/fd/1 ]] || continue
            ! is_read "$1" "$descriptor" || continue
            fd=
            exec {fd}< "/proc/$1/fd/$descriptor"
            if [[ $fd ]]; then outputs+=("$fd"); fi
        fi
    done
}

# Whether somebody reads already what a member of a group prints whose leader was missed: what they print to each other is theirs.
is_read() {
    local pid entry flags
    [[ ${missed[${group[$1]-none}]-} ]] || return
    for pid in $$ "${left[@]}"; do
        [[ $pid == "$$" || ${group[$pid]} == "${group[$1]}" ]] || continue
        for entry in "/proc/$pid/fd/"*; do
            [[ $entry -ef /proc/$1/fd/$2 ]] || continue
            flags=
            read -r -d '' _ _ _ flags _ < "/proc/$pid/fdinfo/${entry##*/}"
            # As O_WRONLY of O_ACCMODE.
            ((8#0$flags % 4 == 1)) || return 0
        done
    done
    return 1
}

# The launcher may have died before it could tell that it had started somebody, and whom it has told of may have ended by then. What
# others of ours have started prints to whomever they like, who shall have all of it.
hold_outputs_of_untold() {
    local pid id
    for pid in "${left[@]}"; do
        id=${identity[$pid]}
        [[ ! ${held[$id]-} ]] || continue
        if [[ ${missed[${group[$pid]}]-} ]] ||
            [[ ${group[$pid]} == "$pid" && ! ${leaders[$pid]-}${is_left[${parent[$pid]}]-} ]]; then
            held[$id]=1
            look_at "$pid"
            if [[ $pid:$start == "$id" ]]; then hold_output "$pid"; fi
        fi
    done
}

# bash dies when it is to wait for a descriptor from 1024 on, as there are with a thousand ranks.
drain_outputs() {
    local fd text
    # A launcher that can look at nobody any more has left them to us, and goes on reading.
    look_at "${launcher%% *}"
    [[ ! $start || $start != "${launcher#* }" || $state == [XZ] ]] || return 0
    for fd in "${outputs[@]}"; do
        exec 6<&"$fd"
        if read -r -t 0 -u 6; then
            IFS= read -r -t 0.01 -N 65536 -u 6 text
        fi
    done
    exec 6<&-
}
