"""Records what each kind of job tells its pods: record.py DIRECTORY IMAGE [JOB...]

Applies jobs/JOB.yaml, waits until every pod runs, and writes DIRECTORY/JOB-ROLE-INDEX.json with the environment and the files
that the platform gave to it. Keys are left out. The cluster is that of KUBECONFIG.
"""

import json
import pathlib
import re
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).parent
NAMESPACE = "training"

# Runs in the pod. /proc/self/environ is what the pod got; Python adds LC_CTYPE to os.environ.
PROBE = r"""
import base64, json, os, socket
files = {}
for top in ("/etc/volcano", "/etc/mpi", "/root/.ssh"):
    for name in sorted(os.listdir(top)) if os.path.isdir(top) else []:
        path = os.path.join(top, name)
        if not name.startswith("..") and os.path.isfile(path):
            files[path] = open(path, errors="backslashreplace").read()
pairs = open("/proc/self/environ", "rb").read().decode(errors="backslashreplace").split("\0")
environment = dict(pair.split("=", 1) for pair in pairs if "=" in pair)
print("RECORD " + json.dumps({"hostName": socket.gethostname(), "environment": environment, "files": files}), flush=True)
"""
WAIT = "import signal; signal.signal(signal.SIGTERM, lambda *_: os._exit(0)); signal.pause()"
SSHD = 'os.makedirs("/run/sshd", exist_ok=True); os.execv("/usr/sbin/sshd", ["/usr/sbin/sshd", "-De"])'


def kubectl(*arguments, text=None):
    result = subprocess.run(("kubectl", "-n", NAMESPACE) + arguments, input=text, capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"kubectl {' '.join(arguments)}: {result.stderr.strip()}")
    return result.stdout


def python(*lines):
    return json.dumps(["/usr/bin/python3", "-c", "\n".join(lines)])


def head(template):
    return dict(re.findall(r"^# (\w+): (.*)$", template, re.MULTILINE))


def pods(template):
    """The job's pods, once all run."""
    names = set(re.findall(r"^metadata: {name: ([\w-]+)}", template, re.MULTILINE))
    wanted = sum(map(int, re.findall(r"^ *(?:replicas|completions): (\d+)$", template, re.MULTILINE))) or 1
    deadline = time.monotonic() + 120
    while True:
        found = [pod for pod in json.loads(kubectl("get", "pods", "-o", "json"))["items"] if owner(pod) in names]
        if len(found) == wanted and all(pod["status"].get("phase") == "Running" for pod in found):
            return found
        if time.monotonic() > deadline:
            sys.exit(f"{names}: {wanted} pods wanted, there are {[(p['metadata']['name'], p['status'].get('phase')) for p in found]}")
        time.sleep(0.2)


def owner(pod):
    labels = pod["metadata"].get("labels", {})
    for label in ("training.kubeflow.org/job-name", "volcano.sh/job-name", "job-name"):
        if label in labels:
            return labels[label]
    return pod["metadata"]["name"]


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


def scrubbed(path, content):
    """Nobody needs the keys of a job that is over."""
    if "PRIVATE KEY" in content:
        return "(a private key)\n"
    return re.sub(r"\b(ssh-rsa|ecdsa-sha2-nistp\d+|ssh-ed25519) [A-Za-z0-9+/=]+", r"\1 (a public key)", content)


def record(job, directory, image):
    template = (HERE / "jobs" / f"{job}.yaml").read_text()
    about = head(template)
    manifest = (
        template.replace("@IMAGE@", image)
        .replace("@WORKER_COMMAND@", python(PROBE, SSHD))
        .replace("@COMMAND@", python(PROBE, WAIT))
        .replace("@RESTART@", "Never")
    )
    kubectl("apply", "-f", "-", text=manifest)
    found = pods(template)
    order = about.get("order", "").split()
    ranked = sorted((order.index(role), index, role) for role, index in map(position, found) if role in order)
    for pod in found:
        role, index = position(pod)
        lines = wait_for_record(pod["metadata"]["name"])
        answer = json.loads(lines)
        node = [(r, i) for _, i, r in ranked].index((role, index)) if role in order else index
        name = job if len(found) == 1 else f"{job}-{index}" if role == "job" else f"{job}-{role}-{index}"
        content = {
            "platform": about["platform"],
            "what": f"{about['what']}." if len(found) == 1 else f"{about['what']}: this is {role} {index}.",
            "recorded": True,
            "nodes": int(about["nodes"]),
            "index": node,
            "role": "" if role == "job" else role,
            "hostName": answer["hostName"],
            "environment": dict(sorted(answer["environment"].items())),
            "files": {path: scrubbed(path, text) for path, text in answer["files"].items()},
        }
        (directory / f"{name}.json").write_text(json.dumps(content, indent=2) + "\n")
        print(f"{name}: {len(content['environment'])} variables, {len(content['files'])} files", flush=True)
    kubectl("delete", "--wait=false", "-f", "-", text=manifest)


def wait_for_record(pod):
    deadline = time.monotonic() + 30
    while True:
        match = re.search(r"^RECORD (.*)$", kubectl("logs", pod), re.MULTILINE)
        if match:
            return match[1]
        if time.monotonic() > deadline:
            sys.exit(f"pod {pod} has not said what it got")
        time.sleep(0.1)


if __name__ == "__main__":
    target, image = pathlib.Path(sys.argv[1]), sys.argv[2]
    target.mkdir(parents=True, exist_ok=True)
    for job in sys.argv[3:] or sorted(path.stem for path in (HERE / "jobs").glob("*.yaml")):
        record(job, target, image)
