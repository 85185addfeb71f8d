/**
 * Questions to a running job, and their answers, one from each node.
 *
 * <p>A command asks the launcher of its own node over the control socket: {@code ask KIND MILLIS JSON}, with the time limit and a JSON
 * object. The launcher sends the question over the link, through the leader. It returns one line of JSON for each node when the answer
 * comes: {@code node}, {@code host}, and {@code content} or {@code error}. Then it closes the connection.
 *
 * <p>To add a kind of question: write a {@link dev.muster.runtime.questions.QuestionHandler}, and add it to the map in
 * {@code launch.QuestionHandlers}. In the command, ask with {@link dev.muster.runtime.control.JobAsker}. A handler may be slow: it has
 * its own thread. It sees the running job as a {@link dev.muster.runtime.questions.RunningAttempt}. Its answer is masked, cut to
 * {@link dev.muster.runtime.questions.NodeAnswers#LONGEST} bytes, and crosses the link packed, in pieces, at a limited rate. With
 * {@code --link-output off} an answer that crosses the link must not contain output or stacks:
 * {@link dev.muster.runtime.questions.Question#mayQuote}.
 */
@NullMarked
package dev.muster.runtime.questions;

import org.jspecify.annotations.NullMarked;
