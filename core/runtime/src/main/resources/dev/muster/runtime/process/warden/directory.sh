# shellcheck shell=bash
# The run's private directory.

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

# Whether two files have the same content.
is_same() {
    local one other
    [[ -f $1 && ! -h $1 && -f $2 && ! -h $2 ]] || return
    IFS= read -r -d '' one < "$1"
    IFS= read -r -d '' other < "$2"
    [[ $one == "$other" ]]
}
