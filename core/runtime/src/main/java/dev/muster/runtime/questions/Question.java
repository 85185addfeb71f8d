package dev.muster.runtime.questions;

import java.util.Map;

/**
 * A question to a node.
 *
 * @param content a JSON object as received, unchecked
 * @param mayQuote whether the answer may contain output and stacks of ranks
 */
public record Question(Map<String, Object> content, boolean mayQuote) {

    /** Why a handler refuses an answer, or leaves something out, if it may not quote. */
    public static final String NO_QUOTES = "this node has --link-output off: no output and no stack leaves it";
}
