# Whether this machine lets us make simulated hosts: what they need, done once and thrown away. The last line printed is why not, of those
# that do not begin with white space: such lines are mount's hints.
set -e
exec 2>&1
for program in ip nsenter hostname mount; do
    command -v "$program" > /dev/null || { echo "there is no $program here"; exit 1; }
done
[ -e /etc/hosts ] || { echo "there is no /etc/hosts here: make one, an empty one will do"; exit 1; }
ip link add bridge type bridge
ip link add eth0 type veth peer name wire
mount --bind /etc/hosts /etc/hosts
mount -t tmpfs tmpfs /dev/shm
mount -t tmpfs tmpfs /run
hostname host
