#!/usr/bin/env python3
"""Linear regression on TensorFlow parameter servers that goes on from its last checkpoint: a MonitoredTrainingSession.

Needs TensorFlow 2 and NumPy. The weights live on the parameter servers, which serve until they are stopped. All workers see all
of the data and improve the weights each on its own; worker 0 is the chief, who saves checkpoints and restores the last one when
the job is started again. There is one best set of weights, which enough steps always lead to, interrupted or not.

The arguments say who takes part, as ModelArts gives them to a TensorFlow job.
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

TRUE_WEIGHTS = np.array([1.5, -2.0, 0.75, 3.0, 0.5])
NOISE = 0.1
SAMPLES = 200
TOLERANCE = 1e-5


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--job_name", choices=("ps", "worker"), required=True)
    parser.add_argument("--task_index", type=int, required=True)
    parser.add_argument("--ps_hosts", required=True, help="host:port,host:port")
    parser.add_argument("--worker_hosts", required=True, help="host:port,host:port")
    parser.add_argument("--steps", type=int, default=400, help="steps of all workers together")
    parser.add_argument("--learning-rate", type=float, default=0.3)
    parser.add_argument("--step-delay", type=float, default=0.0, help="seconds that every step takes longer")
    parser.add_argument("--checkpoints", required=True, help="a directory that all see: where checkpoints are")
    parser.add_argument("--checkpoint-every", type=int, default=20, help="steps between checkpoints")
    return parser.parse_args()


def data():
    """Samples, the last feature a constant for the bias, and the loss of the weights that fit them best."""
    random = np.random.RandomState(0)
    x = np.hstack([random.uniform(-1.0, 1.0, (SAMPLES, len(TRUE_WEIGHTS) - 1)), np.ones((SAMPLES, 1))])
    y = x @ TRUE_WEIGHTS + random.normal(0.0, NOISE, SAMPLES)
    best = np.linalg.lstsq(x, y, rcond=None)[0]
    return x.astype(np.float32), y.astype(np.float32), float(np.mean(np.square(x @ best - y)))


def model(x, y, learning_rate):
    weights = tf.get_variable("weights", initializer=tf.zeros([len(TRUE_WEIGHTS)]))
    step = tf.train.get_or_create_global_step()
    loss = tf.reduce_mean(tf.square(tf.linalg.matvec(tf.constant(x), weights) - tf.constant(y)))
    train = tf.train.GradientDescentOptimizer(learning_rate).minimize(loss, global_step=step)
    return step, loss, train


def await_chief(server, config):
    """A MonitoredTrainingSession that finds nothing ready looks again only after 30 s; this looks often."""
    manager = tf.train.SessionManager(ready_op=tf.report_uninitialized_variables(), recovery_wait_secs=0.2)
    manager.wait_for_session(server.target, config=config, max_wait_secs=600).close()


def train(options, cluster, server):
    """Returns the loss at the end and the step of all workers then."""
    name = f"worker {options.task_index}"
    x, y, best = data()
    with tf.device(tf.train.replica_device_setter(cluster=cluster, worker_device=f"/job:worker/task:{options.task_index}")):
        step, loss, improve = model(x, y, options.learning_rate)
    # Without the filter a session waits for all other workers as well, and hangs when one of them is done.
    config = tf.ConfigProto(device_filters=["/job:ps", f"/job:worker/task:{options.task_index}"])
    is_chief = options.task_index == 0
    if not is_chief:
        await_chief(server, config)
    # Looked for first: the session saves one of its own, and other workers may be many steps ahead when the chief comes to count them.
    has_checkpoint = tf.train.latest_checkpoint(options.checkpoints) is not None
    with tf.train.MonitoredTrainingSession(
        master=server.target,
        is_chief=is_chief,
        checkpoint_dir=options.checkpoints,
        save_checkpoint_steps=options.checkpoint_every,
        save_summaries_steps=None,
        save_summaries_secs=None,
        log_step_count_steps=None,
        config=config,
    ) as session:
        reached = session.run(step)
        # Only the chief can tell: whoever comes after him finds that he has begun.
        print(f"{name}: " + (f"goes on at step {reached}" if is_chief and has_checkpoint else "begins"), flush=True)
        while reached < options.steps:
            _, reached = session.run([improve, step])
            time.sleep(options.step_delay)
        return float(session.run(loss)), best, int(reached)


def main():
    options = arguments()
    tf.disable_eager_execution()
    tf.logging.set_verbosity(tf.logging.ERROR)
    cluster = tf.train.ClusterSpec({"ps": options.ps_hosts.split(","), "worker": options.worker_hosts.split(",")})
    server = tf.train.Server(cluster, job_name=options.job_name, task_index=options.task_index)
    if options.job_name == "ps":
        print(f"ps {options.task_index}: serving", flush=True)
        server.join()
    loss, best, steps = train(options, cluster, server)
    name = f"worker {options.task_index}"
    # "not <" and not ">=": a loss that is no number is wrong, too.
    if not abs(loss - best) < TOLERANCE:
        sys.exit(f"{name}: wrong: loss {loss:.6f} after {steps} steps, the best is {best:.6f}")
    print(f"{name}: ok: loss {loss:.6f}", flush=True)


if __name__ == "__main__":
    main()
