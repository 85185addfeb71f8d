"""What the other scripts need of a cluster: kubectl, templates of jobs, and the pods that come of them."""

import json
import pathlib
import re
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).parent
IMAGE = "muster.test/job:1"
SSHD = ["/usr/sbin/sshd", "-De"]


def kubectl(namespace, *arguments, text=None, check=True):
    result = subprocess.run(("kubectl", "-n", namespace) + arguments, input=text, capture_output=True, text=True)
    if check and result.returncode:
        sys.exit(f"kubectl {' '.join(arguments)}: {result.stderr.strip()}")
    return result.stdout


def create_namespace(name):
    kubectl(name, "create", "namespace", name)


def delete_namespace(name):
    """Ends all that is in it; nobody has to wait for that."""
    kubectl(name, "delete", "pods", "--all", "--grace-period=0", "--force", "--wait=false", check=False)
    kubectl(name, "delete", "namespace", name, "--wait=false")


def template(job):
    return (HERE / "jobs" / f"{job}.yaml").read_text()


def head(text):
    """The lines "# name: value" at its beginning."""
    return dict(re.findall(r"^# (\w+): (.*)$", text, re.MULTILINE))


def manifest(text, command, workers=None, restart="Never"):
    """WORKERS is what the workers of an MPIJob run: ssh servers, as the operator would have it."""
    return (
        text.replace("@IMAGE@", IMAGE)
        .replace("@WORKER_COMMAND@", json.dumps(workers or SSHD))
        .replace("@COMMAND@", json.dumps(command))
        .replace("@RESTART@", restart)
    )


def pods_wanted(text):
    return sum(map(int, re.findall(r"^ *(?:replicas|completions): (\d+)$", text, re.MULTILINE))) or 1


def pods(namespace):
    return json.loads(kubectl(namespace, "get", "pods", "-o", "json"))["items"]


def until(what, condition, seconds=120):
    """Waits until CONDITION gives something that is true, and gives that; None after SECONDS when WHAT is None."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            return None if what is None else sys.exit(f"{what}: not within {seconds} s")
        time.sleep(0.2)


def container(pod):
    """The status of the job's own container; empty at first."""
    return (pod["status"].get("containerStatuses") or [{}])[0]


def position(pod):
    """Role and number within the role, as the labels say."""
    metadata = pod["metadata"]
    labels, notes = metadata.get("labels", {}), metadata.get("annotations", {})
    if "volcano.sh/task-spec" in labels:
        return labels["volcano.sh/task-spec"], int(labels["volcano.sh/task-index"])
    if "training.kubeflow.org/replica-type" in labels:
        return labels["training.kubeflow.org/replica-type"], int(labels["training.kubeflow.org/replica-index"])
    if "training.kubeflow.org/job-role" in labels:
        number = re.search(r"-worker-(\d+)$", metadata["name"])
        return labels["training.kubeflow.org/job-role"], int(number[1]) if number else 0
    return "job", int(notes.get("batch.kubernetes.io/job-completion-index", 0))
