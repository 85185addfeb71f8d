#!/bin/bash
#
# programs.sh PLACE: builds Kubernetes, Volcano, Kubeflow's operators and CoreDNS from the Go module proxy, in the versions of
# programs/*/go.mod, into PLACE/bin, and copies their manifests to PLACE/manifests. The first time takes 12 to 20 minutes.
set -euo pipefail

here=$(cd -- "${BASH_SOURCE[0]%/*}" && pwd)
place=$1
readonly JOBSET=v0.8.0 TRAINER=v2.0.0
export GOFLAGS=-mod=readonly GOWORK=off CGO_ENABLED=0

module() {
  (cd "$here/programs/$1" && go list -m -f '{{.Dir}}' "$2")
}

# Prints the directory of a module that is only downloaded, not built.
download() {
  (cd / && go mod download -json "$1" | python3 -c 'import json, sys; print(json.load(sys.stdin)["Dir"])')
}

for part in operators control; do
  printf 'building %s\n' "$(grep -m 1 '^//' "$here/programs/$part/go.mod")"
  # "tool" means every program that go.mod lists.
  mkdir -p "$place/bin"
  (cd "$here/programs/$part" && go build -trimpath -ldflags='-s -w' -o "$place/bin/" tool)
done

rm -rf "$place/manifests"
mkdir -p "$place/manifests"/{volcano,training,mpi,definitions}
volcano=$(module control volcano.sh/volcano)
training=$(module operators github.com/kubeflow/training-operator)
mpi=$(module operators github.com/kubeflow/mpi-operator)
cp "$volcano"/config/crd/{volcano,jobflow}/bases/*.yaml "$place/manifests/volcano"
cp "$volcano"/installer/helm/chart/volcano/config/volcano-{admission,scheduler}.conf "$place/manifests"
cp "$volcano/installer/volcano-development.yaml" "$place/manifests/volcano-webhooks.yaml"
cp "$training"/manifests/base/crds/kubeflow.org_*.yaml "$place/manifests/training"
# MPIJob has two versions: v1 of this operator, and v2beta1 of mpi-operator. A cluster can have only one of them.
rm "$place/manifests/training/kubeflow.org_mpijobs.yaml"
cp "$training/manifests/base/webhook/manifests.yaml" "$place/manifests/training-webhooks.yaml"
cp "$mpi/manifests/base/kubeflow.org_mpijobs.yaml" "$place/manifests/mpi"
# The controllers of these do not run here, but the API server can check their manifests.
cp "$(download "sigs.k8s.io/jobset@$JOBSET")/config/components/crd/bases/jobset.x-k8s.io_jobsets.yaml" \
  "$(download "github.com/kubeflow/trainer/v2@$TRAINER")/manifests/base/crds/trainer.kubeflow.org_trainjobs.yaml" \
  "$place/manifests/definitions"
chmod -R u+w "$place/manifests"
