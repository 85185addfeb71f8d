#!/usr/bin/env python3
"""Linear regression with TensorFlow 2's strategies for several machines.

Needs TensorFlow 2 and NumPy. TF_CONFIG says who takes part:

--strategy ps        ParameterServerStrategy: the chief trains, with the help of workers and parameter servers that serve until
                     they are stopped. TF_CONFIG must name a chief, workers and ps.
--strategy mirrored  MultiWorkerMirroredStrategy: every worker trains, and all keep the same weights. Without TF_CONFIG there
                     is one worker.

An evaluator takes no part; it waits until it is stopped.

Whoever trains checks at the end that the loss fell and that the weights are the right ones.
"""

import argparse
import json
import os
import signal
import sys
import time

# What TensorFlow tells about itself at the start is no news; must be said before it is imported.
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")

import numpy as np
import tensorflow as tf

TRUE_WEIGHTS = np.array([1.5, -2.0, 0.75, 3.0, 0.5], dtype=np.float32)  # The last one is the bias.
NOISE = 0.1
SAMPLES = 200
TOLERANCE = 0.1


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strategy", choices=("ps", "mirrored"), required=True)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--learning-rate", type=float, default=0.3)
    parser.add_argument("--step-delay", type=float, default=0.0, help="seconds that every step takes longer")
    return parser.parse_args()


def shard(index):
    """The data of one worker; the last column is for the bias."""
    random = np.random.RandomState(index)
    x = random.uniform(-1.0, 1.0, (SAMPLES, len(TRUE_WEIGHTS))).astype(np.float32)
    x[:, -1] = 1.0
    return x, (x @ TRUE_WEIGHTS + random.normal(0.0, NOISE, SAMPLES)).astype(np.float32)


def loss_of(weights, x, y):
    return tf.reduce_mean(tf.square(tf.linalg.matvec(x, weights) - y))


def check(name, weights):
    x, y = shard(0)
    before, after = float(np.mean(np.square(y))), float(loss_of(weights, x, y))
    error = float(np.abs(weights.numpy() - TRUE_WEIGHTS).max())
    # "not <" and not ">=": a loss that is no number is wrong, too.
    if not (after < before and error < TOLERANCE):
        sys.exit(f"{name}: wrong: loss {before:.6g} -> {after:.6g}, weights off by {error:.3g}")
    print(f"{name}: ok: loss {before:.6g} -> {after:.6g}", flush=True)


def parameter_servers(options, task):
    resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
    if task["type"] in ("ps", "worker"):
        server = tf.distribute.Server(
            resolver.cluster_spec(), job_name=resolver.task_type, task_index=resolver.task_id, protocol="grpc"
        )
        print(f"{task['type']} {task['index']}: serving", flush=True)
        server.join()
    if task["type"] != "chief":
        sys.exit("--strategy ps: TF_CONFIG must name a chief, workers and ps")
    strategy = tf.distribute.ParameterServerStrategy(resolver)
    coordinator = tf.distribute.coordinator.ClusterCoordinator(strategy)
    with strategy.scope():
        weights = tf.Variable(tf.zeros([len(TRUE_WEIGHTS)]))
    x, y = (tf.constant(part) for part in shard(0))

    @tf.function
    def step():
        def improve():
            with tf.GradientTape() as tape:
                loss = loss_of(weights, x, y)
            weights.assign_sub(options.learning_rate * tape.gradient(loss, weights))

        strategy.run(improve)

    for _ in range(options.steps):
        coordinator.schedule(step)
        coordinator.join()
        time.sleep(options.step_delay)
    check("chief", weights)


def mirrored(options, task):
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    with strategy.scope():
        weights = tf.Variable(tf.zeros([len(TRUE_WEIGHTS)]))
    x, y = (tf.constant(part) for part in shard(task["index"]))

    @tf.function
    def step():
        def improve():
            with tf.GradientTape() as tape:
                loss = loss_of(weights, x, y)
            gradient = tape.gradient(loss, weights)
            mean = tf.distribute.get_replica_context().all_reduce(tf.distribute.ReduceOp.MEAN, gradient)
            weights.assign_sub(options.learning_rate * mean)

        strategy.run(improve)

    for _ in range(options.steps):
        step()
        time.sleep(options.step_delay)
    check(f"{task['type']} {task['index']}", weights)


def evaluate():
    """There are no checkpoints to look at: this only shows how an evaluator lives, until it is stopped."""
    print("evaluator: waiting", flush=True)
    while True:
        signal.pause()


def main():
    options = arguments()
    config = json.loads(os.environ.get("TF_CONFIG") or "{}")
    task = config.get("task", {"type": "worker", "index": 0})
    if config.get("cluster", {}).pop("evaluator", None):
        # Kubeflow and Volcano list it, but both strategies connect to everybody in the cluster and would wait for it for ever.
        os.environ["TF_CONFIG"] = json.dumps(config)
    if task["type"] == "evaluator":
        evaluate()
    if options.strategy == "mirrored":
        mirrored(options, task)
    elif "cluster" in config:
        parameter_servers(options, task)
    else:
        sys.exit("--strategy ps: TF_CONFIG must name a chief, workers and ps")


if __name__ == "__main__":
    main()
