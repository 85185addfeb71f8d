# shellcheck shell=bash
# What the warden does: it carries out orders, and once there come none any more it ends whoever is left.

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
    line='' number=${1-}
    (($# == 0)) || shift
    carry_out "$@"
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
