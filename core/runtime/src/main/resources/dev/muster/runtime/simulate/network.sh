# The network of simulated hosts: a bridge in a network namespace of its own, which lives as long as this process. $1 is the
# file that tells the hosts its pid, and to which they add theirs.
set -e
ip link add bridge type bridge
ip link set bridge up
# Nobody reads what this shell says of its children when the simulation is killed, and saying it would be its end.
exec > /dev/null 2>&1
told=
trap 'told=yes' HUP INT TERM
echo $$ > "$1.new"
mv "$1.new" "$1"
while [ -z "$told" ]; do
    # What is left of a network that is killed ends by itself.
    sleep 10 &
    wait $! || :
done
kill $! 2> /dev/null || :

# A zombie has no namespaces any more.
hosts_run() {
    while read -r pid; do
        if [ "$pid" != $$ ] && [ -e "/proc/$pid/ns/net" ]; then
            return 0
        fi
    done < "$1"
    return 1
}

# When the simulation is killed, all get the signal at once, but the hosts still have things to tell each other.
while hosts_run "$1"; do
    # Whoever ends the simulation may tell this one too.
    sleep 0.05 || :
done
