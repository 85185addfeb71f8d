#!/usr/bin/env python3
"""Linear regression on TensorFlow parameter servers: a script in the style of TensorFlow 1.

Needs TensorFlow 2 and NumPy. The weights live on the parameter servers, which serve until they are stopped; every worker
has its own shard of the data and improves the shared weights on its own. At the end each worker checks that the loss on its
shard fell and that the weights are the right ones.

The arguments say who takes part, as ModelArts gives them to a TensorFlow job. Without them the script trains alone.
"""

import argparse
import os
import sys
import time

# What TensorFlow tells about itself at the start is no news; must be said before it is imported.
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")

import numpy as np
import tensorflow.compat.v1 as tf

TRUE_WEIGHTS = np.array([1.5, -2.0, 0.75, 3.0], dtype=np.float32)
TRUE_BIAS = 0.5
NOISE = 0.1
TOLERANCE = 0.1


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--job_name", choices=("ps", "worker"), default="worker")
    parser.add_argument("--task_index", type=int, default=0)
    parser.add_argument("--ps_hosts", default="", help="host:port,host:port")
    parser.add_argument("--worker_hosts", default="", help="host:port,host:port")
    parser.add_argument("--steps", type=int, default=150, help="steps of each worker")
    parser.add_argument("--samples", type=int, default=200, help="samples in each worker's shard")
    parser.add_argument("--learning-rate", type=float, default=0.1)
    parser.add_argument("--step-delay", type=float, default=0.0, help="seconds that every step takes longer")
    return parser.parse_args()


def shard(index, samples):
    """The data of one worker."""
    random = np.random.RandomState(index)
    x = random.uniform(-1.0, 1.0, (samples, len(TRUE_WEIGHTS))).astype(np.float32)
    noise = random.normal(0.0, NOISE, samples)
    return x, (x @ TRUE_WEIGHTS + TRUE_BIAS + noise).astype(np.float32)


def model(x, y, learning_rate):
    weights = tf.get_variable("weights", initializer=tf.zeros([len(TRUE_WEIGHTS)]))
    bias = tf.get_variable("bias", initializer=tf.zeros([]))
    step = tf.train.get_or_create_global_step()
    loss = tf.reduce_mean(tf.square(tf.linalg.matvec(tf.constant(x), weights) + bias - tf.constant(y)))
    train = tf.train.GradientDescentOptimizer(learning_rate).minimize(loss, global_step=step)
    return weights, bias, step, loss, train


def session(options, server):
    """A session in which the variables are there: the first worker makes them, the others look for them often."""
    manager = tf.train.SessionManager(
        ready_op=tf.report_uninitialized_variables(), graph=tf.get_default_graph(), recovery_wait_secs=0.2
    )
    # Without the filter a session waits for all other workers as well, and hangs when one of them is done.
    filters = ["/job:ps", f"/job:worker/task:{options.task_index}"]
    config = tf.ConfigProto(device_filters=filters if server else None)
    target = server.target if server else ""
    if options.task_index == 0:
        return manager.prepare_session(target, init_op=tf.global_variables_initializer(), config=config)
    return manager.wait_for_session(target, config=config, max_wait_secs=600)


def train(options, server, cluster):
    x, y = shard(options.task_index, options.samples)
    worker = f"/job:worker/task:{options.task_index}"
    device = tf.train.replica_device_setter(cluster=cluster, worker_device=worker) if cluster else None
    with tf.device(device):
        weights, bias, step, loss, improve = model(x, y, options.learning_rate)
    before = float(np.mean(np.square(y)))
    with session(options, server) as running:
        for _ in range(options.steps):
            running.run(improve)
            time.sleep(options.step_delay)
        after, found, found_bias, steps = running.run([loss, weights, bias, step])
    return before, float(after), max(np.abs(found - TRUE_WEIGHTS).max(), abs(found_bias - TRUE_BIAS)), steps


def main():
    options = arguments()
    tf.disable_eager_execution()
    tf.logging.set_verbosity(tf.logging.ERROR)
    cluster = server = None
    if options.ps_hosts:
        hosts = {"ps": options.ps_hosts.split(","), "worker": options.worker_hosts.split(",")}
        cluster = tf.train.ClusterSpec(hosts)
        server = tf.train.Server(cluster, job_name=options.job_name, task_index=options.task_index)
    if options.job_name == "ps":
        if server is None:
            sys.exit("ps: --ps_hosts and --worker_hosts must say who takes part")
        print(f"ps {options.task_index}: serving", flush=True)
        server.join()
    before, after, error, steps = train(options, server, cluster)
    name = f"worker {options.task_index}"
    # "not <" and not ">=": a loss that is no number is wrong, too.
    if not (after < before and error < TOLERANCE):
        sys.exit(f"{name}: wrong: loss {before:.6g} -> {after:.6g}, weights off by {error:.3g}")
    print(f"{name}: ok: loss {before:.6g} -> {after:.6g} after {steps} steps of all workers", flush=True)


if __name__ == "__main__":
    main()
