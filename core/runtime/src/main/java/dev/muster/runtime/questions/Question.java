package dev.muster.runtime.questions;

import java.util.Map;

/**
 * What a node is asked.
 *
 * @param content an object of JSON, as it came: nothing in it is checked
 * @param mayQuote whether the answer may hold what ranks print, and their stacks
 */
public record Question(Map<String, Object> content, boolean mayQuote) {

    /** What a handler refuses with, or adds, where it may not quote. */
    public static final String NO_QUOTES = "this node has --link-output off: no output and no stack leaves it";
}
