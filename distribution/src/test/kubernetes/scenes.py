"""What becomes of jobs that are deleted, fail, are started again or may do little: scenes.py [NAME...]

Prints one line for each, and all that the pods said where it is not as it should be. Ends with 1 if anything is not.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import uuid

from kubectl import IMAGE, container, create_namespace, delete_namespace, kubectl, pods, until

RESTRICTED = {
    "runAsUser": 1000,
    "runAsNonRoot": True,
    "readOnlyRootFilesystem": True,
    "allowPrivilegeEscalation": False,
    "capabilities": {"drop": ["ALL"]},
    "seccompProfile": {"type": "RuntimeDefault"},
}


def launch(engine="pytorch-gpu", *options):
    return ["muster", "--engine", engine, "--log-dir", "/state/logs", *options, "--", "python3", "/opt/train.py"]


def pod_spec(command, train="", name="train", kept=None, **more):
    """KEPT is a directory of the node that outlives the pod; without it /state is the pod's own."""
    volume = {"hostPath": {"path": kept, "type": "DirectoryOrCreate"}} if kept else {"emptyDir": {}}
    one = {
        "name": name,
        "image": IMAGE,
        "imagePullPolicy": "Never",
        "command": command,
        "env": [{"name": "TRAIN", "value": train}],
        "volumeMounts": [{"name": "state", "mountPath": "/state"}],
        **more.pop("container", {}),
    }
    return {"restartPolicy": "Never", "containers": [one], "volumes": [{"name": "state", **volume}], **more}


def pod(spec):
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "alone"}, "spec": spec}


def volcano_job(spec, replicas, plugins, policies=()):
    task = {"name": "worker", "replicas": replicas, "template": {"spec": spec}}
    body = {"schedulerName": "volcano", "minAvailable": replicas, "plugins": plugins, "tasks": [task], "policies": list(policies)}
    return {"apiVersion": "batch.volcano.sh/v1alpha1", "kind": "Job", "metadata": {"name": "job"}, "spec": body}


def pytorch_job(spec, restart):
    del spec["restartPolicy"]
    specs = {"Master": {"replicas": 1, "restartPolicy": restart, "template": {"spec": spec}}}
    body = {"runPolicy": {"cleanPodPolicy": "None"}, "pytorchReplicaSpecs": specs}
    return {"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob", "metadata": {"name": "job"}, "spec": body}


class Scene:
    """A namespace with a job, and all that its pods said, also those that are gone."""

    def __init__(self, name):
        self.namespace = f"{name}-{uuid.uuid4().hex[:6]}"
        self.kept = f"/tmp/{self.namespace}"
        self.readers = {}
        create_namespace(self.namespace)

    def kept_files(self):
        """What the node has in the directory that outlives the pod."""
        cluster = pathlib.Path(os.environ["KUBECONFIG"]).parent / "pid"
        return sorted(os.listdir(f"/proc/{cluster.read_text().strip()}/root{self.kept}"))

    def apply(self, manifest):
        kubectl(self.namespace, "apply", "-f", "-", text=json.dumps(manifest))

    def follow(self):
        """Reads the pods' output from now on, from each container's beginning."""
        for pod in pods(self.namespace):
            key = pod["metadata"]["name"], pod["metadata"]["uid"], container(pod).get("restartCount", 0)
            if key not in self.readers and container(pod).get("state", {}).keys() & {"running", "terminated"}:
                arguments = ("kubectl", "-n", self.namespace, "logs", "-f", key[0])
                self.readers[key] = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def until_says(self, text, count=1):
        """Waits until COUNT pods said TEXT."""
        until(f"{count} pods say {text}", lambda: sum(text in said for said in self.logs().values()) >= count, 40)
        self.follow()

    def logs(self):
        names = [pod["metadata"]["name"] for pod in pods(self.namespace)]
        return {name: kubectl(self.namespace, "logs", name, check=False) for name in names}

    def until_ended(self, count=1):
        """Waits until COUNT pods ended well, or one of them failed for good."""

        def ended():
            self.follow()
            ends = [container(pod).get("state", {}).get("terminated") for pod in pods(self.namespace)]
            return [end["exitCode"] for end in ends] if len(ends) == count and all(ends) else None

        return until("the job ends", ended, 60)

    def said(self):
        texts = []
        for (name, _, run), reader in self.readers.items():
            try:
                text, _ = reader.communicate(timeout=60)
            except subprocess.TimeoutExpired:
                reader.kill()
                text, _ = reader.communicate()
            texts.append("".join(f"[{name}#{run}] {line}\n" for line in text.splitlines()))
        return "".join(texts)


def deleted(scene):
    """A deleted pod's ranks write their checkpoint, within the grace; the verdict is 143."""
    scene.apply(pod(pod_spec(launch(), "wait=3", terminationGracePeriodSeconds=30)))
    scene.until_says("] training")
    kubectl(scene.namespace, "delete", "pod", "alone", "--wait=false")
    return ["checkpoint saved", "exit 143"]


def pre_stop(scene):
    """A preStop hook takes its time first, from the same terminationGracePeriodSeconds."""
    hook = {"lifecycle": {"preStop": {"exec": {"command": ["sleep", "3"]}}}}
    scene.apply(pod(pod_spec(launch(), "wait=3", terminationGracePeriodSeconds=30, container=hook)))
    scene.until_says("] training")
    kubectl(scene.namespace, "delete", "pod", "alone", "--wait=false")
    return ["checkpoint saved", "exit 143"]


def pre_stop_signals(scene):
    """A preStop hook that signals the training itself begins the stop."""
    hook = {"lifecycle": {"preStop": {"exec": {"command": ["pkill", "-TERM", "-f", "^python3 /opt/train.py"]}}}}
    command = launch("pytorch-gpu", "--cards", "2", "-o", "processes=per-card")
    scene.apply(pod(pod_spec(command, "wait=3", terminationGracePeriodSeconds=30, container=hook)))
    scene.until_says("[rank 1] training")
    kubectl(scene.namespace, "delete", "pod", "alone", "--wait=false")
    return ["[rank 0] checkpoint saved", "[rank 1] checkpoint saved", "exit 143"]


HOOK = {"lifecycle": {"preStop": {"exec": {"command": ["muster", "stop", "--grace", "70s"]}}}}
DELETE = ("delete", "pod", "alone", "--wait=false")


def dying_gasp(scene):
    """A preStop hook that is muster stop gives all ranks a minute; the launcher's own grace would be 5 s."""
    return gasp(scene, "5s", HOOK, DELETE)


def dying_gasp_without_hook(scene):
    """Without a hook ranks have the launcher's own grace, which is a minute, too."""
    return gasp(scene, "70s", {}, DELETE)


def dying_gasp_of_a_script(scene):
    """The container's first process is a script that starts the launcher, and ends with it."""
    return gasp(scene, "5s", HOOK, DELETE, before=("sh", "-c", '"$@"; exit $?', "sh"))


def drained(scene):
    """The same as with the hook when the node is drained."""
    node = until("there is a node", lambda: kubectl(scene.namespace, "get", "nodes", "-o", "name").strip())
    drain = ("drain", node, "--pod-selector", "scene=drained", "--force", "--delete-emptydir-data", "--ignore-daemonsets", "--timeout", "100s")

    def evicted():
        """Other scenes need the node: what is evicted stays so."""
        until("the pod is evicted", lambda: "deletionTimestamp" in pods(scene.namespace)[0]["metadata"], 30)
        kubectl(scene.namespace, "uncordon", node)

    try:
        return gasp(scene, "5s", HOOK, drain, evicted, labels={"scene": "drained"})
    finally:
        kubectl(scene.namespace, "uncordon", node)


def gasp(scene, grace, hook, end, begun=lambda: None, before=(), labels=None):
    """Two ranks that need a minute. A finalizer keeps the pod's end readable; it goes with the scene."""
    command = [*before, *launch("pytorch-gpu", "--cards", "2", "-o", "processes=per-card", "--grace", grace)]
    spec = pod_spec(command, "wait=60", kept=scene.kept, terminationGracePeriodSeconds=90, container=hook)
    spec["containers"][0]["env"].append({"name": "TMPDIR", "value": "/state"})
    manifest = pod(spec)
    manifest["metadata"] |= {"labels": labels or {}, "finalizers": ["muster.test/read"]}
    scene.apply(manifest)
    scene.until_says("[rank 1] training")
    assert [name for name in scene.kept_files() if name.startswith("muster-")], scene.kept_files()
    ending = subprocess.Popen(("kubectl", "-n", scene.namespace, *end), stdout=subprocess.DEVNULL)
    begun()

    def ended():
        return container(pods(scene.namespace)[0]).get("state", {}).get("terminated")

    code = until("the pod ends", ended, 90)["exitCode"]
    scene.follow()
    events = json.loads(kubectl(scene.namespace, "get", "events", "-o", "json"))["items"]
    kubectl(scene.namespace, "patch", "pod", "alone", "--type=merge", "-p", '{"metadata": {"finalizers": null}}')
    ending.wait(60)
    assert code == 143, code
    assert not [event for event in events if event["reason"] == "FailedPreStopHook"], events
    assert scene.kept_files() == ["logs"], scene.kept_files()
    return ["[rank 0] checkpoint saved", "[rank 1] checkpoint saved", "exit 143"]


def container_restarted(scene):
    """A container that failed starts again in its pod; the results of both runs are there."""
    after = ["sh", "-c", 'muster "$@" && find /state/logs | sort', "sh", *launch()[1:]]
    scene.apply(pod(pod_spec(after, "fail-once=3", restartPolicy="OnFailure")))
    scene.until_says("exit 0")
    return ["exit 0", "/state/logs"]


def restricted_pod(scene):
    """uid 1000, nothing but an emptyDir can be written."""
    scene.apply(pod(pod_spec(launch(), container={"securityContext": RESTRICTED, "workingDir": "/state"})))
    assert scene.until_ended() == [0]
    return ["joined", "exit 0"]


def restricted_mpi(scene):
    """The same for an MPI job of two pods with Volcano's ssh plugin."""
    spec = pod_spec(launch("mpi"), container={"securityContext": RESTRICTED, "workingDir": "/state"})
    scene.apply(volcano_job(spec, 2, {"env": [], "svc": [], "ssh": ["--ssh-key-file-path=/home/user/.ssh"]}))
    assert scene.until_ended(2) == [0, 0]
    return ["joined mpi 0 of 2", "exit 0"]


def restricted_tensorflow(scene):
    """The same for TensorFlow."""
    spec = pod_spec(launch("tensorflow-ps"), container={"securityContext": RESTRICTED, "workingDir": "/state"})
    scene.apply(volcano_job(spec, 2, {"env": [], "svc": []}))
    assert scene.until_ended(2) == [0, 0]
    return ["joined tf worker-1 of 4", "exit 0"]


def restart_job(scene):
    """Volcano starts all pods again when one failed: the others save, and the second time all ends well."""
    policy = {"event": "PodFailed", "action": "RestartJob"}
    scene.apply(volcano_job(pod_spec(launch(), "fail-once=3", kept=scene.kept), 3, {"env": [], "svc": []}, [policy]))
    assert until_all(scene, 3) == [0, 0, 0]
    return ["failing with 3", "exit 3", "checkpoint saved", "exit 0"]


def exit_code_policy(scene):
    """Volcano's policy for one exit code."""
    policy = {"exitCode": 75, "action": "RestartJob"}
    scene.apply(volcano_job(pod_spec(launch(), "fail-once=75", kept=scene.kept), 2, {"env": [], "svc": []}, [policy]))
    assert until_all(scene, 2) == [0, 0]
    return ["exit 75", "exit 0"]


def kubeflow_exit_code(scene):
    """restartPolicy: ExitCode starts again what ended with 75, given as 138."""
    command = launch("pytorch-gpu", "--exit-codes", "kubeflow", "--grace", "2s")
    spec = pod_spec(command, "fail-once=75", name="pytorch", kept=scene.kept)
    scene.apply(pytorch_job(spec, "ExitCode"))
    assert until_all(scene, 1) == [0]
    return ["exit 138", "exit 0"]


def until_all(scene, count):
    """The exit codes once COUNT pods of the last attempt have ended."""

    def ended():
        scene.follow()
        found = [pod for pod in pods(scene.namespace) if "deletionTimestamp" not in pod["metadata"]]
        codes = [container(pod).get("state", {}).get("terminated", {}).get("exitCode") for pod in found]
        return codes if codes == [0] * count else None

    return until("all pods end with 0", ended, 90)


def described(scene):
    """kubectl describe shows why the pod failed."""
    scene.apply(pod(pod_spec(launch("pytorch-gpu", "--cards", "2", "-o", "processes=per-card"), "fail=9")))
    scene.until_ended()
    text = kubectl(scene.namespace, "describe", "pod", "alone")
    # Either rank may be the first.
    assert re.search(r"Message: .*exit 9: rank [01] \(pid \d+\) ended with exit code 9", text, re.DOTALL), text
    return ["exit 9"]


SCENES = [
    deleted, pre_stop, pre_stop_signals, dying_gasp, dying_gasp_without_hook, dying_gasp_of_a_script, drained,
    container_restarted, restricted_pod, restricted_mpi, restricted_tensorflow, restart_job, exit_code_policy, kubeflow_exit_code, described,
]


def play(act):
    scene = Scene(act.__name__.replace("_", "-"))
    problem, wanted = None, []
    try:
        wanted = act(scene)
    except (AssertionError, SystemExit) as error:
        problem = str(error) or type(error).__name__
    scene.follow()
    said = scene.said()
    missing = [text for text in wanted if text not in said]
    delete_namespace(scene.namespace)
    if problem or missing:
        print(f"WRONG {act.__name__}: {problem or f'nobody said {missing}'}\n{said}", flush=True)
        return False
    print(f"ok    {act.__name__}: {act.__doc__.strip()}", flush=True)
    if "-v" in sys.argv:
        print(said)
    return True


if __name__ == "__main__":
    names = [name for name in sys.argv[1:] if not name.startswith("-")]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(play, [act for act in SCENES if not names or act.__name__ in names]))
    sys.exit(0 if all(results) else 1)
