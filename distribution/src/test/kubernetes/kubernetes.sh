#!/bin/bash
#
# ./verify --kubernetes [all | up | pages | jobs [JOB...] | scenes [NAME...] | record DIRECTORY [JOB...]]
#
# Runs Muster's jobs on a real Kubernetes cluster with Volcano and Kubeflow's operators, on this machine and nowhere else.
#   all      (default) pages, jobs and scenes; then removes everything but the built programs (in the user's cache)
#   up       brings the cluster up and keeps it until Ctrl-C; the other commands then use it
#   pages    lets the API server check the manifests of docs/platforms/*.md
#   jobs     runs every engine on every platform, or on those named, and prints the results
#   scenes   deletes jobs, lets them fail and start again, and restricts their pods
#   record   writes the environment of the pods of each kind of job (jobs/*.yaml) to DIRECTORY
# Needs root, 6 GB of disk, and the first time 20 minutes for the build. See CONTRIBUTING.md.
set -euo pipefail

here=$(cd -- "${BASH_SOURCE[0]%/*}" && pwd)
project=$(cd -- "$here/../../../.." && pwd)
# shellcheck source=distribution/src/build/install.sh
. "$project/distribution/src/build/install.sh"
# shellcheck source=distribution/src/build/jdks.sh
. "$project/distribution/src/build/jdks.sh"
readonly cache=${XDG_CACHE_HOME:-${HOME-}/.cache}/muster/kubernetes
readonly cluster=$cache/cluster
readonly GO=1.21 # from here on Go fetches the version that go.mod asks for

main() {
  local command=${1-all}
  case $command in
    all | up | pages | jobs | scenes | record) ;;
    *) printf 'verify: no such command: --kubernetes %s. There are all, up, pages, jobs, scenes and record.\n' "$command" >&2 && exit 64 ;;
  esac
  if ((EUID != 0)); then
    printf 'verify: containers need root. Type: sudo ./verify --kubernetes\n' >&2
    exit 69
  fi
  if is_up && [[ $command != up ]]; then
    image
    within ctr -n k8s.io images import --all-platforms "$cache/image.tar" >/dev/null
  else
    bring_up
  fi
  shift || true
  "$command" "$@"
}

bring_up() {
  install
  if [[ ! -e $cache/programs/complete || $(built_from) != "$(<"$cache/programs/complete")" ]]; then
    "$here/programs.sh" "$cache/programs"
    built_from >"$cache/programs/complete"
  fi
  image
  trap take_down EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  start
}

built_from() {
  find "$here/programs.sh" "$here/programs" -type f -print0 | sort -z | xargs -0 cat | sha256sum
}

install() {
  local missing=()
  type -P etcd >/dev/null || missing+=(etcd-server)
  type -P containerd >/dev/null || missing+=(containerd)
  type -P runc >/dev/null || missing+=(runc)
  [[ -x /usr/lib/cni/bridge ]] || missing+=(containernetworking-plugins)
  type -P debootstrap >/dev/null || missing+=(debootstrap)
  type -P ip >/dev/null || missing+=(iproute2)
  type -P curl >/dev/null || missing+=(curl)
  type -P openssl >/dev/null || missing+=(openssl)
  type -P go >/dev/null || missing+=(golang-go)
  missing_for_build
  if ((${#missing[@]} > 0)) && [[ -d /run/systemd/system ]]; then
    # Debian would start etcd and containerd as services at once. Only the machine's owner may decide that.
    printf 'verify: missing: %s. Install it:\n  sudo apt-get install %s\n' "${missing[*]}" "${missing[*]}" >&2
    exit 69
  fi
  ((${#missing[@]} == 0)) || install_packages "${missing[@]}"
  local version
  version=$(go env GOVERSION)
  if [[ $(printf '%s\n' "$GO" "${version#go}" | sort -V | head -n 1) != "$GO" ]]; then
    printf 'verify: go is %s, but %s or newer is needed: https://go.dev/dl\n' "$version" "$GO" >&2
    exit 69
  fi
}

image() {
  JAVA_HOME=$(compilers | by_version | tail -n 1)
  export JAVA_HOME
  (cd "$project" && mvn -B -ntp -q -Dmaven.test.skip -P '!error-prone' package)
  "$here/image.sh" "$cache/image" "$project/distribution/target/muster" "$cache/image.tar"
}

is_up() {
  [[ -e $cluster/pid ]] && nsenter "--net=/proc/$(<"$cluster/pid")/ns/net" "--mount=/proc/$(<"$cluster/pid")/ns/mnt" \
    test -S /run/containerd/containerd.sock 2>/dev/null
}

# Runs a command beside the cluster's own processes.
within() {
  nsenter "--net=/proc/$(<"$cluster/pid")/ns/net" "--mount=/proc/$(<"$cluster/pid")/ns/mnt" "$@"
}

# Runs a command that talks to the cluster.
talking() {
  KUBECONFIG=$cluster/admin.conf PATH=$cache/programs/bin:$PATH nsenter "--net=/proc/$(<"$cluster/pid")/ns/net" "$@"
}

start() {
  local line
  rm -rf "$cluster"
  mkdir -p "$cluster" /var/lib/cni
  list_cgroups >"$cluster/cgroups"
  # The cluster ends with its standard input, and so with this script, however the script ends.
  coproc CLUSTER { exec "$here/cluster.sh" "$cluster" "$cache/programs" "$cache/image.tar"; }
  if ! read -r line <&"${CLUSTER[0]}" || [[ $line != ready ]]; then
    printf 'verify: the cluster did not come up; see the lines above\n' >&2
    trap - EXIT
    take_down keep
    exit 70
  fi
}

list_cgroups() {
  find /sys/fs/cgroup -mindepth 1 -type d 2>/dev/null | sort
}

take_down() {
  local id=${CLUSTER_PID-}
  if [[ $id ]] && kill -0 "$id" 2>/dev/null; then
    talking timeout 30 kubectl delete pods -A --all --grace-period=0 --force >/dev/null 2>&1 || true
    # The cluster's first process ends with its input, and ends all others.
    eval "exec ${CLUSTER[1]}>&-"
    wait "$id" 2>/dev/null || true
  fi
  remove_cgroups
  if [[ ${1-} != keep ]]; then
    rm -rf "$cluster"
    rmdir /var/lib/cni 2>/dev/null || true
  fi
}

# Removes the control groups of the containers, the inner ones first. A group with a process cannot be removed.
remove_cgroups() {
  local path
  list_cgroups | comm -13 "$cluster/cgroups" - | sort -r | while read -r path; do
    [[ $path != */k8s.io* ]] || rmdir "$path" 2>/dev/null || true
  done
}

all() {
  local failed=0
  pages || failed=1
  jobs "$@" || failed=1
  scenes "$@" || failed=1
  return "$failed"
}

up() {
  printf 'The cluster is up, until Ctrl-C. To look at it:\n  %s\n' \
    "sudo env KUBECONFIG=$cluster/admin.conf nsenter --net=/proc/$(<"$cluster/pid")/ns/net $cache/programs/bin/kubectl get pods -A"
  wait "$CLUSTER_PID"
}

pages() {
  talking python3 "$here/pages.py" "$project"/docs/platforms/*.md
}

jobs() {
  talking python3 "$here/matrix.py" "$@"
}

scenes() {
  talking python3 "$here/scenes.py" "$@"
}

record() {
  talking python3 "$here/record.py" "$@"
}

main "$@"
