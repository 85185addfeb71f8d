package dev.muster.testkit;

import java.util.Set;

/** The names of Muster's own options, which no engine can have. A test compares them with those of the runtime. */
public final class MusterOptions {

    public static final Set<String> NAMES = Set.of("""
            all all-nodes bind card-ids cards checkpoint-signal color conda-env config console-ranks debug-rank engine exit-codes fail
            fold format grace help hosts image input-timeout job job-id late link link-port link-secret log-dir metrics-file
            lost-after mask node-index nodes o platform plugins prefix report reset-file restart-on restarts
            stop-signal-to time-limit timestamps user version workdir
            """.strip().split("\\s+"));

    private MusterOptions() {}
}
