/**
 * Questions to a job that runs, and their answers, one of each node.
 *
 * <p>A command asks the launcher of its own node over the control socket: {@code ask KIND MILLIS JSON}, where MILLIS is how long it waits, and JSON an object. The launcher passes the question on over the link, by the leader, and
 * gives one line of JSON for each node as soon as it is there: {@code node}, {@code host}, and {@code content} or, where there is none,
 * {@code error}. Then it hangs up.
 *
 * <p>To add a kind of question: write a {@link dev.muster.runtime.questions.QuestionHandler}, add it by its kind to the map in
 * {@code launch.QuestionHandlers}, and ask with {@link dev.muster.runtime.control.JobAsker} in the command. A handler may be slow: it has a thread
 * of its own. It sees what runs as a {@link dev.muster.runtime.questions.RunningAttempt}. What it answers is masked, cut to
 * {@link dev.muster.runtime.questions.NodeAnswers#LONGEST} bytes, and crosses the link packed, in pieces, at a limited rate. With
 * {@code --link-output off} a question that came over the link may not be answered with output or stacks:
 * {@link dev.muster.runtime.questions.Question#mayQuote}.
 */
@NullMarked
package dev.muster.runtime.questions;

import org.jspecify.annotations.NullMarked;
