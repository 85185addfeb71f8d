# The network of simulated hosts: a bridge in a network namespace of its own, which lives as long as this process. $1 is the
# file that tells the hosts its pid.
set -e
ip link add bridge type bridge
ip link set bridge up
echo $$ > "$1.new"
mv "$1.new" "$1"
exec sleep infinity
