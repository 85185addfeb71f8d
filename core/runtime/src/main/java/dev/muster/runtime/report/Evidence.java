package dev.muster.runtime.report;

import java.util.List;

/**
 * What is known of the process whose failure ended the job, beside its end. Secrets are masked, and nothing in it can do anything
 * to a terminal.
 *
 * @param node where it ran, for users; empty when nobody numbers the nodes and none has a name
 * @param command what was run, in one line and perhaps shortened; empty when it was not ours to start
 * @param words what tells why it failed, out of what it printed last; empty when it printed nothing
 * @param speaker whose output the words are, where it is not the process's own: that of what started the rank, which several
 *     share
 */
public record Evidence(String node, String command, List<String> words, String speaker) {

    public Evidence {
        words = List.copyOf(words);
    }
}
