/**
 * The link between the launchers of a job: one of them leads, the others connect to it, and all end as one. What is said and
 * heard, and when, is decided by {@link dev.muster.runtime.link.Party parties} that know no connection and no clock; sockets,
 * keys and lines are another matter.
 *
 * <table>
 *   <caption>Where to look</caption>
 *   <tr><td>what the rest of Muster sees</td>
 *       <td>{@code Links}, {@code Link}, {@code LinkSettings}, {@code Heard}, {@code Said}, {@code JobEnd}, {@code LinkReport}</td></tr>
 *   <tr><td>the parties: what is decided</td>
 *       <td>{@code Leader}, {@code Member}, {@code Alone}</td></tr>
 *   <tr><td>coming: who may take which seat, who is missing</td>
 *       <td>{@code Doorkeeper}, {@code Table}, {@code Seat}, {@code Arrivals}, {@code Gathering}, {@code Membership}</td></tr>
 *   <tr><td>how the job ends, and which cause was first</td>
 *       <td>{@code Fate}, {@code Endings}, {@code Ends}</td></tr>
 *   <tr><td>who is lost, or cannot be reached</td>
 *       <td>{@code Rounds}, {@code Absence}, {@code Reach}, {@code Origins}</td></tr>
 *   <tr><td>what must be equal on all nodes</td>
 *       <td>{@code Comparison}, {@code Differences}</td></tr>
 *   <tr><td>what is told, as facts that are repeated until they are there</td>
 *       <td>{@code Fact}, {@code ToldFacts}, {@code OrderFacts}, {@code Journal}, {@code Inbox}, {@code Conversation}, {@code Dialogue}, {@code Batch}</td></tr>
 *   <tr><td>threads and connections</td>
 *       <td>{@code LinkLoop}, {@code LeaderSide}, {@code MemberSide}, {@code Door}, {@code Attempt}, {@code Wire}, {@code Errands}</td></tr>
 *   <tr><td>keys: who may have a say</td>
 *       <td>{@code JobKey}, {@code LinkKey}, {@code KeySource}, {@code Munge}, {@code Handshake}, {@code Session}</td></tr>
 *   <tr><td>strangers at the port</td>
 *       <td>{@code Reception}, {@code Guest}, {@code Strangers}</td></tr>
 * </table>
 */
@NullMarked
package dev.muster.runtime.link;

import org.jspecify.annotations.NullMarked;
