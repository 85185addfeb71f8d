# Makes a simulated host of the fresh namespaces that this shell runs in, and becomes what runs there.
#   host.sh PID-FILE INDEX ADDRESS/BITS NAME HOSTS-FILE COMMAND...
# /dev/shm is the host's own, since MPI libraries take processes that share it for processes of one host.
set -e
read -r network < "$1"
# The network stays for what this process is going to be.
echo $$ >> "$1"
wire=wire$2
address=$3
name=$4
hosts=$5
shift 5
hostname "$name"
ip link set lo up
ip link add eth0 type veth peer name "$wire" netns "$network"
ip address add "$address" dev eth0
ip link set eth0 up
nsenter --target "$network" --net ip link set "$wire" master bridge up
mount --bind "$hosts" /etc/hosts
mount -t tmpfs -o mode=1777 tmpfs /dev/shm
# What a freshly started container has: no run-time files of others, and the directory that an sshd of root needs.
mount -t tmpfs -o mode=0755 tmpfs /run
mkdir -m 0755 /run/sshd
exec "$@"
