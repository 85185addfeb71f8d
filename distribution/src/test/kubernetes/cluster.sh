#!/bin/bash
#
# A real Kubernetes cluster with one node on this machine: cluster.sh DIRECTORY PROGRAMS IMAGE-ARCHIVE
#
# It has etcd, API server, controllers, scheduler, kubelet with containerd, CoreDNS, Volcano, Kubeflow's training-operator and
# mpi-operator, with their webhooks. All processes, also those of pods, are in one PID, mount and network namespace. They listen
# nowhere else. Processes, mounts and networks vanish when this script ends. DIRECTORY holds data, keys, logs (DIRECTORY/log) and
# admin.conf. DIRECTORY/pid is the pid of the process whose network has the API server. The script prints "ready" last, ends with
# its standard input, and needs root.
set -euo pipefail

here=$(cd -- "${BASH_SOURCE[0]%/*}" && pwd)
readonly NODE=10.232.0.1 # the machine's address on the pods' bridge
readonly SERVICES=10.96.0.0/16

start() {
  exec unshare --pid --net --mount --fork --kill-child=KILL -- "$0" --inside "$@"
}

inside() {
  local me place
  # /proc is still that of the machine, so this is the pid outside the namespace.
  read -r me _ </proc/self/stat
  printf '%s\n' "$me" >"$dir/pid"
  # The kubelet's mounts must appear in its containers. They stay in this namespace.
  mount --make-rshared /
  mount -t proc proc /proc
  for place in /run /tmp /var/log /var/lib/cni; do
    if [[ $dir == "$place"/* ]]; then
      printf 'cluster: %s cannot be below %s, which the cluster has an own one of\n' "$dir" "$place" >&2
      exit 64
    fi
    mount -t tmpfs -o mode=1777 none "$place"
  done
  ip link set lo up
  mkdir -p "$dir"/{log,pki,etcd,kubelet}
  chmod 700 "$dir/etcd" "$dir/pki"
  export KUBECONFIG=$dir/admin.conf PATH=$programs/bin:$PATH
  keys
  control_plane
  node
  volcano
  training
  mpi
  kubectl apply --server-side -f "$programs/manifests/definitions" >/dev/null
  await apiserver kubectl get jobsets,trainjobs
  printf 'ready\n'
  # While bash waits here it reaps orphans, as the first process of a container must.
  while read -r; do :; done
}

# Starts a program of the cluster; its output goes to a log.
run() {
  local name=$1
  shift
  "$@" >"$dir/log/$name.log" 2>&1 </dev/null &
}

# Waits at most 60 s until a command succeeds. If it does not, prints the end of LOG.
await() {
  local log=$1 end=$((SECONDS + 60))
  shift
  until "$@" >/dev/null 2>&1; do
    if ((SECONDS > end)); then
      printf 'cluster: %s: not within 60 s. %s ends with:\n' "$*" "$log" >&2
      tail -n 5 "$dir/log/$log.log" >&2
      exit 70
    fi
    sleep 0.1
  done
}

authority() { # NAME SUBJECT [OPTION...]
  openssl req -x509 -newkey rsa:2048 -nodes -keyout "$1.key" -out "$1.crt" -days 3650 -subj "$2" "${@:3}" 2>/dev/null
}

certificate() { # NAME AUTHORITY SUBJECT EXTENSION...
  openssl req -newkey rsa:2048 -nodes -keyout "$1.key" -out "$1.csr" -subj "$3" 2>/dev/null
  openssl x509 -req -in "$1.csr" -CA "$2.crt" -CAkey "$2.key" -CAcreateserial -days 3650 -out "$1.crt" \
    -extfile <(printf '%s\n' "${@:4}") 2>/dev/null
}

keys() {
  local token
  cd "$dir/pki"
  authority ca /CN=cluster
  certificate api ca /CN=kube-apiserver "subjectAltName=IP:127.0.0.1,IP:$NODE,DNS:localhost,DNS:kubernetes.default.svc"
  certificate kubelet-client ca /O=system:masters/CN=kube-apiserver extendedKeyUsage=clientAuth
  certificate volcano ca /CN=volcano subjectAltName=IP:127.0.0.1
  # The operator makes new certificates unless the authority has this name and is valid for years.
  authority training-ca /O=training-operator/CN=training-operator-ca -addext subjectAltName=DNS:training-operator-ca
  certificate training training-ca /CN=training-operator extendedKeyUsage=serverAuth \
    subjectAltName=IP:127.0.0.1,DNS:training-operator.kubeflow.svc
  openssl genrsa -out accounts.key 2048 2>/dev/null
  token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  printf '%s,admin,admin,system:masters\n' "$token" >tokens.csv
  cd /
  cat >"$KUBECONFIG" <<END
apiVersion: v1
kind: Config
clusters: [{name: test, cluster: {server: "https://127.0.0.1:6443", certificate-authority: $dir/pki/ca.crt}}]
users: [{name: admin, user: {token: $token}}]
contexts: [{name: test, context: {cluster: test, user: admin}}]
current-context: test
END
}

control_plane() {
  local pki=$dir/pki
  run etcd etcd --data-dir "$dir/etcd"
  run apiserver kube-apiserver --etcd-servers=http://127.0.0.1:2379 --bind-address=127.0.0.1 --advertise-address=127.0.0.1 \
    --endpoint-reconciler-type=none "--service-cluster-ip-range=$SERVICES" --anonymous-auth=false \
    --authorization-mode=AlwaysAllow --disable-admission-plugins=ServiceAccount --allow-privileged=true \
    "--tls-cert-file=$pki/api.crt" "--tls-private-key-file=$pki/api.key" "--client-ca-file=$pki/ca.crt" \
    "--token-auth-file=$pki/tokens.csv" "--service-account-key-file=$pki/accounts.key" \
    "--service-account-signing-key-file=$pki/accounts.key" --service-account-issuer=https://cluster.test \
    --kubelet-preferred-address-types=InternalIP "--kubelet-client-certificate=$pki/kubelet-client.crt" \
    "--kubelet-client-key=$pki/kubelet-client.key"
  await apiserver kubectl get --raw /readyz
  run controllers kube-controller-manager --bind-address=127.0.0.1 "--kubeconfig=$KUBECONFIG" --leader-elect=false \
    '--controllers=*,-node-ipam-controller,-service-lb-controller,-cloud-node-lifecycle-controller' \
    "--service-account-private-key-file=$pki/accounts.key" "--root-ca-file=$pki/ca.crt"
  run scheduler kube-scheduler --bind-address=127.0.0.1 "--kubeconfig=$KUBECONFIG" --leader-elect=false
}

node() {
  # A fixed MAC address: else the bridge takes that of the newest pod, and DNS answers get lost when that pod ends.
  ip link add pods address 02:00:0a:e8:00:01 type bridge
  ip address add "$NODE/24" dev pods
  ip link set pods up
  containers
  names
  kubelet_settings
  run kubelet kubelet "--kubeconfig=$KUBECONFIG" "--config=$dir/kubelet.yaml" "--root-dir=$dir/kubelet" \
    --hostname-override=node "--node-ip=$NODE" "--cert-dir=$dir/pki/kubelet"
  await kubelet kubectl wait --for=condition=Ready node/node --timeout=1s
}

containers() {
  local data=$dir/containerd
  mkdir -p "$data/cni"
  cat >"$data/cni/10-pods.conflist" <<END
{"cniVersion": "0.4.0", "name": "pods", "plugins": [{"type": "bridge", "bridge": "pods", "isGateway": true, "hairpinMode": true,
 "ipam": {"type": "host-local", "dataDir": "$data/addresses", "routes": [{"dst": "0.0.0.0/0"}],
 "ranges": [[{"subnet": "${NODE%.*}.0/24", "rangeStart": "${NODE%.*}.10"}]]}}]}
END
  # restrict_oom_score_adj: without CAP_SYS_RESOURCE no process can lower oom_score_adj, and runc would fail.
  cat >"$data/config.toml" <<END
version = 2
root = "$data/root"
state = "/run/containerd"
[grpc]
  address = "/run/containerd/containerd.sock"
[plugins."io.containerd.internal.v1.opt"]
  path = "$data/opt"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "muster.test/job:1"
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "$data/cni"
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
END
  run containerd containerd -c "$data/config.toml"
  await containerd ctr version
  ctr -n k8s.io images import --all-platforms "$image" >/dev/null
}

# The addresses of services do not work, since there is no kube-proxy. Headless services need none.
names() {
  cat >"$dir/Corefile" <<END
. {
  bind $NODE
  errors
  kubernetes cluster.local in-addr.arpa {
    kubeconfig $KUBECONFIG
    ttl 1
    pods disabled
  }
  template ANY ANY . {
    rcode NXDOMAIN
  }
}
END
  run dns dns -conf "$dir/Corefile"
}

kubelet_settings() {
  : >"$dir/resolv.conf"
  cat >"$dir/kubelet.yaml" <<END
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
address: $NODE
authentication: {anonymous: {enabled: false}, webhook: {enabled: false}, x509: {clientCAFile: $dir/pki/ca.crt}}
authorization: {mode: AlwaysAllow}
cgroupDriver: cgroupfs
cgroupsPerQOS: false
enforceNodeAllocatable: []
clusterDomain: cluster.local
clusterDNS: [$NODE]
resolvConf: $dir/resolv.conf
failSwapOn: false
containerRuntimeEndpoint: unix:///run/containerd/containerd.sock
evictionHard: {memory.available: 1Mi, nodefs.available: 1%, imagefs.available: 1%}
imageGCHighThresholdPercent: 100
syncFrequency: 1s
serializeImagePulls: false
volumePluginDir: $dir/kubelet/plugins
staticPodPath: ""
END
}

# Prints the webhooks of a file, with a URL instead of a service of the cluster.
webhooks() { # FILE URL AUTHORITY
  kubectl create --dry-run=client -o json -f "$1" | python3 "$here/webhooks.py" "$2" "$dir/pki/$3.crt"
}

volcano() {
  local manifests=$programs/manifests served=https://127.0.0.1:8443
  kubectl create namespace volcano-system >/dev/null
  kubectl apply --server-side -f "$manifests/volcano" >/dev/null
  await apiserver kubectl get jobs.batch.volcano.sh,queues.scheduling.volcano.sh,podgroups.scheduling.volcano.sh
  # The scheduler would make this queue 10 s later.
  printf '%s\n' 'apiVersion: scheduling.volcano.sh/v1beta1' 'kind: Queue' 'metadata: {name: default}' \
    'spec: {weight: 1, reclaimable: true}' | kubectl create -f - >/dev/null
  run volcano-controllers controller-manager "--kubeconfig=$KUBECONFIG" --leader-elect=false --enable-healthz=false --logtostderr
  run volcano-scheduler scheduler "--kubeconfig=$KUBECONFIG" "--scheduler-conf=$manifests/volcano-scheduler.conf" \
    --leader-elect=false --enable-healthz=false --enable-metrics=false --listen-address=127.0.0.1:8080 --plugins-dir= \
    --schedule-period=200ms --logtostderr
  run volcano-webhooks webhook-manager "--kubeconfig=$KUBECONFIG" "--tls-cert-file=$dir/pki/volcano.crt" \
    "--tls-private-key-file=$dir/pki/volcano.key" "--ca-cert-file=$dir/pki/ca.crt" --port=8443 --enable-healthz=false --logtostderr \
    "--admission-conf=$manifests/volcano-admission.conf" --webhook-namespace=volcano-system --webhook-service-name=volcano \
    --enabled-admission=/jobs/mutate,/jobs/validate,/podgroups/mutate,/pods/validate,/pods/mutate,/queues/mutate,/queues/validate
  # The webhook server listens when these webhooks exist.
  webhooks "$manifests/volcano-webhooks.yaml" "$served" ca | kubectl apply --server-side -f - >/dev/null
  await volcano-webhooks curl -sk -o /dev/null "$served/jobs/validate"
}

training() {
  local certificates=/tmp/k8s-webhook-server/serving-certs name
  kubectl create namespace kubeflow >/dev/null
  kubectl apply --server-side -f "$programs/manifests/training" >/dev/null
  mkdir -p "$certificates"
  for name in training:tls training-ca:ca; do
    cp "$dir/pki/${name%:*}.crt" "$certificates/${name#*:}.crt"
    # The operator reads only keys in the older format.
    openssl rsa -traditional -in "$dir/pki/${name%:*}.key" -out "$certificates/${name#*:}.key" 2>/dev/null
  done
  kubectl -n kubeflow create secret generic training-operator-webhook-cert "--from-file=$certificates" >/dev/null
  webhooks "$programs/manifests/training-webhooks.yaml" https://127.0.0.1:9443 training-ca |
    sed 's/"validating-webhook-configuration"/"validator.training-operator.kubeflow.org"/' |
    kubectl apply --server-side -f - >/dev/null
  await apiserver kubectl get pytorchjobs,tfjobs,jaxjobs
  run training-operator training-operator.v1 --enable-scheme={pytorchjob,tfjob,paddlejob,xgboostjob,jaxjob} \
    --pytorch-init-container-image=muster.test/job:1 --metrics-bind-address=127.0.0.1:9090 \
    --health-probe-bind-address=127.0.0.1:9091 --webhook-server-port=9443
  await training-operator curl -sf http://127.0.0.1:9091/readyz
}

mpi() {
  kubectl create namespace mpi-operator >/dev/null
  kubectl apply --server-side -f "$programs/manifests/mpi" >/dev/null
  # The operator ends if the API server does not serve its resources yet.
  await apiserver kubectl get mpijobs.kubeflow.org
  run mpi-operator mpi-operator -kubeConfig "$KUBECONFIG" -lock-namespace mpi-operator
}

if [[ $1 == --inside ]]; then
  dir=$2 programs=$3 image=$4
  inside
else
  start "$@"
fi
