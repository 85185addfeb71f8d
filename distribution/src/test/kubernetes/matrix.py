"""Runs every engine on every platform, with one line in every pod: matrix.py [JOB...]

Prints a table, and all that the pods of a cell said of which something else was expected. Ends with 1 if there is one.
"""

import concurrent.futures
import re
import sys
import time
import uuid

from kubectl import container, create_namespace, delete_namespace, head, kubectl, manifest, pods, pods_wanted, position, template, until

ENGINES = ("pytorch-gpu", "tensorflow-ps", "mpi", "ascend")

# What comes of each cell: the kind of processes that met and how many, or the exit code of a refusal. mpi needs keys that only
# MPIJob and Volcano's ssh plugin bring (69), ascend a rank table, which nobody writes here (78). The image has no torchrun (69).
EXPECTED = """
job                    | torch 1 | tf 2 | mpi 1 | alone 1
indexed-job            | torch 3 | tf 6 | 69    | 78
pytorchjob             | torch 3 | tf 6 | 69    | 78
pytorchjob-nproc       | torch 8 | tf 4 | 69    | 78
pytorchjob-single      | torch 1 | torch 1 | mpi 1 | torch 1
pytorchjob-workers     | torch 2 | tf 4 | 69    | 78
pytorchjob-elastic     | 69      | 78   | 78    | 78
pytorchjob-volcano     | torch 2 | tf 4 | 69    | 78
tfjob                  | 78      | tf 6 | 78    | 78
tfjob-ps               | 78      | tf 3 | 78    | 78
tfjob-chief            | torch 3 | tf 3 | 69    | 78
tfjob-workers          | torch 2 | tf 2 | 69    | 78
tfjob-single           | torch 1 | tf 2 | mpi 1 | alone 1
mpijob                 | 78      | 78   | mpi 4 | 78
mpijob-launcher-worker | 78      | 78   | mpi 6 | 78
jaxjob                 | torch 2 | tf 4 | 69    | 78
volcano                | torch 3 | tf 6 | 69    | 78
volcano-svc            | torch 2 | tf 4 | 69    | 78
volcano-ssh            | torch 2 | tf 4 | mpi 2 | 78
volcano-pytorch        | torch 3 | tf 6 | 69    | 78
volcano-tensorflow     | 78      | tf 5 | 78    | 78
volcano-mpi            | torch 3 | tf 6 | mpi 3 | 78
volcano-master-worker  | torch 3 | tf 6 | 69    | 78
volcano-ps-worker      | 78      | tf 3 | 78    | 78
volcano-single         | torch 1 | alone 1 | mpi 1 | alone 1
"""
AT_ONCE = 2
PATIENCE = 90


class Cell:
    """A job whose pods run one engine, and what came of it."""

    def __init__(self, job, engine, expected):
        self.job, self.engine, self.expected = job, engine, expected
        options = head(template(job)).get("options", "").split()
        self.command = ["muster", "--engine", engine, *options, "--", "python3", "/opt/train.py"]
        self.namespace = f"{job}-{engine}-{uuid.uuid4().hex[:6]}"
        self.says, self.codes, self.failed = {}, {}, None

    def run(self):
        text = template(self.job)
        create_namespace(self.namespace)
        kubectl(self.namespace, "apply", "-f", "-", text=manifest(text, self.command))
        until(None, lambda: self.over(pods_wanted(text)), PATIENCE)
        for pod in pods(self.namespace):
            name = pod["metadata"]["name"]
            self.says[name] = kubectl(self.namespace, "logs", name, check=False)
            self.codes[name] = container(pod).get("state", {}).get("terminated", {}).get("exitCode")
        delete_namespace(self.namespace)
        return self

    def over(self, count):
        """Nobody has to end who only serves the others."""
        found = pods(self.namespace)
        ended = {pod["metadata"]["name"]: container(pod)["state"]["terminated"] for pod in found if terminated(pod)}
        if any(end["exitCode"] for end in ended.values()):
            # The others may wait for ever for one that will never come.
            self.failed = self.failed or time.monotonic()
        return (len(found) == count and all(pod["metadata"]["name"] in ended or serves(pod) for pod in found)) or (
            self.failed and time.monotonic() > self.failed + 8
        )

    def outcome(self):
        joined = [found for text in self.says.values() for found in re.findall(r"joined (\w+) (\S+) of (\d+)", text)]
        codes = {code for code in self.codes.values() if code is not None}
        kinds = {(kind, count) for kind, _, count in joined}
        if codes == {0} and len(kinds) == 1 and len({rank for _, rank, _ in joined}) == len(joined):
            kind, count = kinds.pop()
            return f"{kind} {count}" if int(count) == len(joined) else f"{kind} {len(joined)}/{count}"
        return " ".join(map(str, sorted(codes) or ["-"])) + (f", {len(joined)} joined {sorted(kinds)}" if joined else "")

    def __str__(self):
        lines = [f"--- {self.job} with {self.engine}: {self.outcome()}"]
        for name, text in self.says.items():
            lines += [f"[{name}] {line}" for line in text.splitlines()] + [f"[{name}] exit {self.codes[name]}"]
        return "\n".join(lines)


def terminated(pod):
    return "terminated" in container(pod).get("state", {})


def serves(pod):
    """A ps, which Kubeflow stops when the job is over, and the ssh server of an MPIJob's worker."""
    labels = pod["metadata"].get("labels", {})
    return position(pod)[0] in ("ps", "evaluator") or labels.get("training.kubeflow.org/job-role") == "worker"


def cells(names):
    for line in EXPECTED.strip().splitlines():
        job, *outcomes = (word.strip() for word in line.split("|"))
        if not names or job in names:
            yield from (Cell(job, engine, expected) for engine, expected in zip(ENGINES, outcomes))


def main(names):
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        ran = []
        for cell in pool.map(Cell.run, cells(names)):
            ran.append(cell)
            print(f"{cell.job} with {cell.engine}: {cell.outcome()}", file=sys.stderr, flush=True)
    wrong = [cell for cell in ran if cell.outcome() != cell.expected]
    print("| job |", " | ".join(ENGINES), "|")
    print("|---" * (len(ENGINES) + 1) + "|")
    for row in range(0, len(ran), len(ENGINES)):
        print("|", ran[row].job, "|", " | ".join(cell.outcome() for cell in ran[row : row + len(ENGINES)]), "|")
    for cell in wrong:
        print(f"WRONG, expected {cell.expected}:\n{cell}")
    print(f"{len(ran)} cells, {len(wrong)} wrong", flush=True)
    return 1 if wrong or not ran else 0


sys.exit(main(sys.argv[1:]))
