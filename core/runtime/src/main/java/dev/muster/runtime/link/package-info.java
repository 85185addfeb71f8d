/**
 * The link between the launchers of a job: one of them leads, the others connect to it, and all end as one. What is said and
 * heard, and when, is decided by {@link dev.muster.runtime.link.Party parties} that know no connection and no clock; sockets,
 * keys and lines are another matter.
 *
 * <table>
 *   <caption>Where to look</caption>
 *   <tr><td>what the rest of Muster sees</td>
 *       <td>{@code Link}, {@code LinkSettings}, {@code LinkEvent}, {@code LocalEvent}, {@code JobEnd}, {@code LinkReport}</td></tr>
 *   <tr><td>the leader: who may come, who is missing or lost, how the job ends</td>
 *       <td>{@code Leader}, {@code Membership}, {@code AdmissionController}, {@code LivenessCheck}, {@code ArrivalReporter}, {@code JobTermination},
 *           {@code OutcomeDecision}, {@code PlanComparison}, {@code ProcessTable}</td></tr>
 *   <tr><td>a member</td>
 *       <td>{@code Member}, {@code LeaderContact}, {@code LeaderReachability}</td></tr>
 *   <tr><td>jobs that restart in place</td>
 *       <td>{@code LinkRun}, {@code AttemptBarrier}</td></tr>
 *   <tr><td>messages, and their way</td>
 *       <td>{@code Messages}, {@code LeaderMessage}, {@code Channel}, {@code Session}</td></tr>
 *   <tr><td>threads and connections</td>
 *       <td>{@code LinkThread}, {@code LeaderConnections}, {@code Acceptor}, {@code MemberConnection}, {@code LeaderConnector},
 *           {@code Connection}</td></tr>
 *   <tr><td>keys: who may have a say</td>
 *       <td>{@code LinkKey}, {@code JobKey}, {@code Hello}, {@code Handshake}</td></tr>
 * </table>
 */
@NullMarked
package dev.muster.runtime.link;

import org.jspecify.annotations.NullMarked;
