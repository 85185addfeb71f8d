#!/bin/bash -p
# The warden: outlives the launcher and ends its processes when it dies. MUSTER_WARDEN holds the grace period in hundredths of a
# second and the marker's value. MUSTER_WARDEN_DIRECTORY is the run's private directory, which the launcher removes itself when it
# can. MUSTER_WARDEN_FIRST has the names of variables by which forerunners are known: they get TERM and the grace period before all
# others. MUSTER_WARDEN_LAUNCHER is the launcher's PID and START, not set where that had died before. Its input is a pipe from the launcher; each line is a number
# and an order, and is answered by the number once it is done, or just before a signal to one goes out:
#   adopt PID START | know PID:START... | first PID:START... | forget PID:START... | groups SIGNAL PID:START... | processes SIGNAL PID:START...
#   warned groups|processes PID:START:AGE... | grace N | ping | quit
# START is when a process started, as in field 22 of /proc/PID/stat: a pid alone may be a stranger's by now. AGE is how many
# hundredths of a second ago it got its TERM from the warden before this one. With "grace" all have N hundredths of a second from then on.
# The end of the input without "quit" means that the launcher is dead. Nothing here makes a process before all others have ended, so
# that signals go out when no process can be made any more; and time is what the clock says, however long a look takes.
# What its standard error is at first stays open for whoever waits for the end of it, and of nothing else.
exec 8>&2 2> /dev/null
trap '' HUP INT QUIT USR1 USR2 PIPE TERM TSTP TTIN TTOU XCPU VTALRM PROF IO PWR
settings=${MUSTER_WARDEN-} directory=${MUSTER_WARDEN_DIRECTORY-} forerunners=${MUSTER_WARDEN_FIRST-}
launcher=${MUSTER_WARDEN_LAUNCHER-}
unset FUNCNEST IFS MUSTER_WARDEN MUSTER_WARDEN_DIRECTORY MUSTER_WARDEN_FIRST MUSTER_WARDEN_LAUNCHER
LC_ALL=C
grace=${settings%% *}
random=${settings#* }
# Whatever else goes wrong: an empty marker would be found in every process of the machine.
case $grace in '' | *[!0-9]*) exit 1 ;; esac
case $random in
    *[!0-9a-f]*) exit 1 ;;
    ????????????????*) ;;
    *) exit 1 ;;
esac
# How long it may take from the fork of a process to its program: it may have lost a signal on the way.
birth=10
# As StopSequence.UNKILLABLE says.
hanging=1000
longest_environment=4194304

unset leaders ours first strangers group_warned warned held missed
line=
# Those that lead a group and session of ours, by pid; all others that are known to be ours, or not, by PID:START.
declare -A leaders=() ours=() strangers=()
# Who is a forerunner, or was, by PID:START: whoever has overwritten its environment since is one.
declare -A first=()
# When a group got TERM, by its leader's pid, and when a process did, by PID:START.
declare -A group_warned=() warned=()
# Descriptors of all that our leaders print to; those whose were looked at though they lead nothing that was told, by PID:START; and
# leaders that had ended before their own could be looked at, by pid.
outputs=()
declare -A held=() missed=()
# What the last look found: our live processes, and of each pid its identity, parent and group.
left=()
unset identity parent group is_left
declare -A identity=() parent=() group=() is_left=()
# What all have ended by, and when a look is given up for it.
deadline=0 look_until='' shift=0

# Sets "now", in hundredths of a second, on the clock that says when processes start.
look_at_clock() {
    local uptime
    read -r uptime _ < /proc/uptime
    now=$((10#${uptime/./} + shift))
}

# Sets "state", "ppid" and "start" of a process; empty when there is none. A zombie has a start: nobody else has its number.
look_at() {
    local stat='' fields
    IFS= read -r -d '' stat < "/proc/$1/stat"
    # shellcheck disable=SC2206
    fields=(${stat##*) })
    state=${fields[0]-} ppid=${fields[1]-} start=${fields[19]-}
}

# A container may see an uptime of its own, but the starts of processes as the machine has them.
compare_clocks() {
    look_at $$
    look_at_clock
    if ((start - now > 1000 || now - start > 1000)); then shift=$((start - now)); fi
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

# Whoever gets the signal may kill this shell because of it, before another word: the launcher must know then that it was sent.
answer_for_one() {
    if (($1 == 1)); then answer; fi
}

answer() {
    if [[ $number != "$last" ]]; then
        last=$number
        echo "$number"
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

take() {
    left+=("$1")
    is_left[$1]=1
    ours[${identity[$1]}]=1
    our_groups[${group[$1]}]=1
    our_groups[${session[$1]}]=1
}

# Sets "left" to our live processes; zombies do not count, but for those of which only the first thread has ended. Ours are the members of a leader's group or session, the carriers of the
# marker, those who were ours before, and the descendants of all these.
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

# Lets so many hundredths of a second pass. Nothing ever comes on descriptor 9, once wait_on_nothing was called.
pause() {
    local seconds
    printf -v seconds '%d.%02d' "$(($1 / 100))" "$(($1 % 100))"
    read -r -t "$seconds" -u 9 _
}

# The pipe that the launcher has left, opened for writing as well, so that it does not end.
wait_on_nothing() {
    exec 9<> /proc/self/fd/0
}

# Its files are closed a moment before it has ended.
launcher_has_died() {
    local look
    for look in 1 2 3 4 5 6 7 8 9 10; do
        look_at "${launcher%% *}"
        [[ $start == "${launcher#* }" && $state != [XZ] ]] || return 0
        pause "$look"
    done
    return 1
}

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

adopt() {
    leaders[$1]=$2 ours[$1:$2]=1
    look_at "$1"
    if [[ $start == "$2" && $state != [XZ] ]]; then
        hold_output "$1"
    else
        missed[$1]=1
    fi
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

# Those whose ends are the ranks', as HostedRanks.STARTED says; by PID:START.
find_shells() {
    local file pid at
    for file in "$directory"/started.*; do
        [[ -f $file && ! -h $file ]] && read -r pid at < "$file" && shells[$pid:$at]=1
    done
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

# Whoever is there so long after SIGKILL hangs in the kernel, as in a driver or a frozen group. Nobody waits for that any longer.
let_guard_end() {
    if [[ $guard ]]; then echo hanging >&8; fi
    exec 8>&-
    hanging=$((1 << 60))
}

# By this lock launchers in other containers know that the warden lives: numbers of processes mean nothing to them. The process that
# takes it leaves it to this shell; it is made before all others or not at all. The launcher has made the file, which is empty from
# now on where there can be no lock. Only the first warden has one.
take_lock() {
    if [[ $directory && -s $directory/.warden && ! -h $directory/.warden ]] && exec 7< "$directory/.warden"; then
        { flock -n 7 || : > "$directory/.warden"; } < /dev/null > /dev/null 8>&- &
        # Where no process can be made it tries again for 15 s, and would outlive this shell.
        trap 'kill -s KILL %1' EXIT
    fi
}

# A launcher that stands still neither sees nor stops anything when the shell of its start script is killed, which would have let it
# go on. Only where there was one: it holds the other end of what was standard error.
let_launcher_go_on() {
    look_at "${launcher%% *}"
    if [[ $start == "${launcher#* }" && $state == T && $guard && $ppid != "$guard" ]]; then
        kill -s CONT "${launcher%% *}"
    fi
}

# Whether two files have the same content.
is_same() {
    local one other
    [[ -f $1 && ! -h $1 && -f $2 && ! -h $2 ]] || return
    IFS= read -r -d '' one < "$1"
    IFS= read -r -d '' other < "$2"
    [[ $one == "$other" ]]
}

# What the run has outside of its directory: a path on each line; with a slash at its end a directory that goes when it is empty; with
# "key" in front a file that goes while it is the same as the directory's "key".
remove_elsewhere() {
    local path list
    local -A seen=()
    [[ -f $directory/elsewhere && ! -h $directory/elsewhere ]] || return
    exec {list}< "$directory/elsewhere"
    # Where others can exchange the directory they must not choose what is removed.
    [[ -f /proc/self/fd/$list && -O /proc/self/fd/$list ]] || return
    while IFS= read -r path; do
        [[ ! ${seen[$path]-} ]] || continue
        seen[$path]=1
        case $path in
            '' | *//* | */./* | */../* | */. | */..) ;;
            'key '/*) is_same "${path#key }" "$directory/key" && rm -f -- "${path#key }" ;;
            /*/*/) rmdir -- "$path" ;;
            /*/?*) rm -rf -- "$path" ;;
        esac
    done <&"$list"
}

take_lock
compare_clocks
look_at "${launcher%% *}"
guard=
[[ ! -p /proc/self/fd/8 ]] || guard=$ppid
last=
while :; do
    # A launcher asks several times a second. What has come of a line when the time is over is kept.
    IFS= read -r -t 1 rest
    status=$?
    line+=$rest
    if ((status > 128)); then
        let_launcher_go_on
        continue
    fi
    ((status == 0)) || break
    # shellcheck disable=SC2086
    set -- $line
    line='' number=${1-} verb=${2-}
    (($# < 2)) || shift 2
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
    answer
done

# A limit of open files that was lowered meanwhile would hide everybody.
ulimit -S -n hard
wait_on_nothing
# Who was never told anything was given up before it began, or its launcher was killed just then.
[[ $last ]] || launcher_has_died || exit 0
[[ ! $forerunners ]] || end_forerunners
end_all

# Never anything but what a launcher has made.
case ${directory##*/}:$directory in
    muster-*:/*)
        remove_elsewhere
        # Not a process more: where there can be none, bash would try for 15 s.
        exec rm -rf -- "$directory"
        ;;
esac
