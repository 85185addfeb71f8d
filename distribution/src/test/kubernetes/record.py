"""Records what each kind of job tells its pods: record.py DIRECTORY [JOB...]

Applies jobs/JOB.yaml, waits until every pod runs, and writes DIRECTORY/JOB-ROLE-INDEX.json with the environment and the files
that the platform gave to it. Keys are left out. The cluster is that of KUBECONFIG.
"""

import json
import pathlib
import re
import sys

from kubectl import HERE, create_namespace, head, kubectl, manifest, pods, pods_wanted, position, template, until

NAMESPACE = "training"

# Runs in the pod. /proc/self/environ is what the pod got; Python adds LC_CTYPE to os.environ.
PROBE = r"""
import json, os, signal, socket
files = {}
for top in ("/etc/volcano", "/etc/mpi", "/root/.ssh"):
    for name in sorted(os.listdir(top)) if os.path.isdir(top) else []:
        path = os.path.join(top, name)
        if not name.startswith("..") and os.path.isfile(path):
            files[path] = open(path, errors="backslashreplace").read()
pairs = open("/proc/self/environ", "rb").read().decode(errors="backslashreplace").split("\0")
environment = dict(pair.split("=", 1) for pair in pairs if "=" in pair)
print("RECORD " + json.dumps({"hostName": socket.gethostname(), "environment": environment, "files": files}), flush=True)
signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
signal.pause()
"""
COMMAND = ["/usr/bin/python3", "-c", PROBE]


def record(job, directory):
    text = template(job)
    about = head(text)
    create_namespace(NAMESPACE)
    kubectl(NAMESPACE, "apply", "-f", "-", text=manifest(text, COMMAND, COMMAND))
    found = until(f"all pods of {job} run", lambda: running(pods_wanted(text)))
    order = about.get("order", "").split()
    nodes = sorted((position(pod) for pod in found if position(pod)[0] in order), key=lambda at: (order.index(at[0]), at[1]))
    for pod in found:
        role, index = position(pod)
        answer = json.loads(until("a record", lambda: said(pod["metadata"]["name"])))
        name = job if len(found) == 1 else f"{job}-{index}" if role == "job" else f"{job}-{role}-{index}"
        content = {
            "platform": about["platform"],
            "what": f"{about['what']}." if len(found) == 1 else f"{about['what']}: this is {role} {index}.",
            "recorded": True,
            "nodes": int(about["nodes"]),
            "index": nodes.index((role, index)) if role in order else index,
            "role": "" if role == "job" else role,
            "hostName": answer["hostName"],
            "environment": dict(sorted(answer["environment"].items())),
            "files": {path: scrubbed(text) for path, text in answer["files"].items()},
        }
        (directory / f"{name}.json").write_text(json.dumps(content, indent=2) + "\n")
        print(f"{name}: {len(content['environment'])} variables, {len(content['files'])} files", flush=True)
    kubectl(NAMESPACE, "delete", "pods", "--all", "--grace-period=0", "--force", "--wait=false")
    kubectl(NAMESPACE, "delete", "namespace", NAMESPACE)


def running(count):
    found = pods(NAMESPACE)
    return found if len(found) == count and all(pod["status"].get("phase") == "Running" for pod in found) else None


def said(pod):
    match = re.search(r"^RECORD (.*)$", kubectl(NAMESPACE, "logs", pod, check=False), re.MULTILINE)
    return match and match[1]


def scrubbed(content):
    """Nobody needs the keys of a job that is over."""
    if "PRIVATE KEY" in content:
        return "(a private key)\n"
    return re.sub(r"\b(ssh-rsa|ecdsa-sha2-nistp\d+|ssh-ed25519) [A-Za-z0-9+/=]+", r"\1 (a public key)", content)


if __name__ == "__main__":
    target = pathlib.Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    for job in sys.argv[2:] or sorted(path.stem for path in (HERE / "jobs").glob("*.yaml")):
        record(job, target)
