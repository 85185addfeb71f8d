package dev.muster.testkit;

import java.util.Set;

/** The names of Muster's own options, which no engine may use. A test compares them with those of the runtime. */
public final class MusterOptions {

    public static final Set<String> NAMES = Set.of("""
            all all-nodes bind card-ids cards checkpoint-signal color conda-env config console-ranks copy
            debug-rank doctor engine env exit-codes f fail fold format grace grep hang-timeout help hosts hosts-from
            image input-timeout job job-id late link link-output link-port link-secret log-dir lost-after mask
            metrics-file node-index nodes o on-hang once platform plugins prefix report reset-file restart-on
            restarts since stacks-signal stop-signal-to time-limit timestamps user version workdir
            """.strip().split("\\s+"));

    private MusterOptions() {}
}
