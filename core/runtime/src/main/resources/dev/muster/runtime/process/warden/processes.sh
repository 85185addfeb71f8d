# shellcheck shell=bash
# The warden's clock, and which processes are there.

# Sets "now", in hundredths of a second, on the clock that says when processes start.
look_at_clock() {
    local uptime
    read -r uptime _ < /proc/uptime
    now=$((10#${uptime/./} + shift))
}

# A container may see an uptime of its own, but the starts of processes as the machine has them.
compare_clocks() {
    look_at $$
    look_at_clock
    if ((start - now > 1000 || now - start > 1000)); then shift=$((start - now)); fi
}

# Sets "state", "ppid" and "start" of a process; empty when there is none. A zombie has a start: nobody else has its number.
look_at() {
    local stat='' fields
    IFS= read -r -d '' stat < "/proc/$1/stat"
    # shellcheck disable=SC2206
    fields=(${stat##*) })
    state=${fields[0]-} ppid=${fields[1]-} start=${fields[19]-}
}

# Sets "left" to our live processes; zombies do not count, but for those of which only the first thread has ended. Ours are the members
# of a leader's group or session, the carriers of the marker, those who were ours before, and the descendants of all these.
look() {
    local entry stat fields pid candidates=() rest=() found=1 count=0
    local -A session=() our_groups=() is_led=() is_headless=()
    local -A identity_now=() parent_now=() group_now=()
    for entry in /proc/[0-9]*; do
        stat=
        IFS= read -r -d '' stat < "$entry/stat"
        # shellcheck disable=SC2206
        fields=(${stat##*) })
        pid=${entry#/proc/}
        # A dead leader keeps its number, and that of its group, until somebody has heard of its end.
        if [[ ${leaders[$pid]-none} == "${fields[19]-}" ]]; then is_led[$pid]=1; fi
        case ${fields[0]-X} in
            X) continue ;;
            Z) if ((fields[17] > 1)); then is_headless[$pid]=1; else continue; fi ;;
        esac
        candidates+=("$pid")
        identity_now[$pid]=$pid:${fields[19]} parent_now[$pid]=${fields[1]} group_now[$pid]=${fields[2]}
        session[$pid]=${fields[3]}
        if [[ $look_until ]] && ((++count % 64 == 0)); then
            look_at_clock
            ((now < look_until)) || return 1
        fi
    done
    copy_findings
    left=() is_left=()
    for pid in "${candidates[@]}"; do
        if [[ ${ours[${identity[$pid]}]-}${is_led[${group[$pid]}]-}${is_led[${session[$pid]}]-} ]]; then
            take "$pid"
        elif carries_marker "$pid" "${identity[$pid]}"; then
            take "$pid"
        elif [[ ! $theirs ]]; then
            rest+=("$pid")
        fi
    done
    # A group in which there is one of ours has always been ours: its number is given to nobody meanwhile.
    while [[ $found ]]; do
        found=
        candidates=("${rest[@]}")
        rest=()
        for pid in "${candidates[@]}"; do
            if [[ ${is_left[${parent[$pid]}]-} ]] || is_of_ended_leader "${group[$pid]}" || is_of_ended_leader "${session[$pid]}"; then
                take "$pid"
                found=1
            else
                rest+=("$pid")
            fi
        done
    done
    hold_outputs_of_untold
    look_at_clock
}

is_of_ended_leader() {
    [[ ${leaders[$1]-} && ${our_groups[$1]-} ]]
}

# Only a look that was finished counts.
copy_findings() {
    local pid
    identity=() parent=() group=()
    for pid in "${candidates[@]}"; do
        identity[$pid]=${identity_now[$pid]} parent[$pid]=${parent_now[$pid]} group[$pid]=${group_now[$pid]}
    done
}

take() {
    left+=("$1")
    is_left[$1]=1
    ours[${identity[$1]}]=1
    our_groups[${group[$1]}]=1
    our_groups[${session[$1]}]=1
}

# Whether a process carries the marker. Who carries another run's, or is a warden, belongs to a launcher within ours, which ends its
# own processes as they should be ended; "theirs" says so.
carries_marker() {
    local text thread
    theirs=
    if [[ ${strangers[$2]-} ]]; then
        [[ ${strangers[$2]} != theirs ]] || theirs=1
        return 1
    fi
    text=
    IFS= read -r -N "$longest_environment" text < "/proc/$1/environ"
    if [[ ${is_headless[$1]-} ]]; then
        for thread in "/proc/$1/task/"*; do
            [[ $text ]] || IFS= read -r -N "$longest_environment" text < "$thread/environ"
        done
    fi
    case $text in
        *MUSTER_JOB="$random"*) return 0 ;;
        *MUSTER_JOB=* | *MUSTER_WARDEN=*) strangers[$2]=theirs theirs=1 ;;
        # What has just been forked may still become the program that gets the marker; between two programs it has nothing.
        *) if [[ $text ]] && ((${2#*:} < now - 500)); then strangers[$2]=1; fi ;;
    esac
    return 1
}

# The pipe that the launcher has left, opened for writing as well, so that it does not end.
wait_on_nothing() {
    exec 9<> /proc/self/fd/0
}

# Lets so many hundredths of a second pass. Nothing ever comes on descriptor 9, once wait_on_nothing was called.
pause() {
    local seconds
    printf -v seconds '%d.%02d' "$(($1 / 100))" "$(($1 % 100))"
    read -r -t "$seconds" -u 9 _
}
