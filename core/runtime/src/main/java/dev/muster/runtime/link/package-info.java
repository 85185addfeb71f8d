/**
 * The link between the launchers of a job. One launcher leads, the others connect to it, and all end with the same outcome. The logic is
 * in {@link dev.muster.runtime.link.Party parties}, which know no connection and no clock. Sockets, keys and lines are separate.
 *
 * <table>
 *   <caption>Where to look</caption>
 *   <tr><td>the interface to the rest of Muster</td>
 *       <td>{@code Link}, {@code LinkSettings}, {@code LinkEvent}, {@code LocalEvent}, {@code JobEnd}, {@code LinkReport}</td></tr>
 *   <tr><td>the leader: admission, missing and lost launchers, the end of the job</td>
 *       <td>{@code Leader}, {@code Membership}, {@code AdmissionController}, {@code LivenessCheck}, {@code ArrivalReporter}, {@code JobTermination},
 *           {@code OutcomeDecision}, {@code PlanComparison}, {@code ProcessTable}</td></tr>
 *   <tr><td>a member</td>
 *       <td>{@code Member}, {@code LeaderContact}, {@code LeaderReachability}</td></tr>
 *   <tr><td>jobs that restart in place</td>
 *       <td>{@code LinkRun}, {@code AttemptBarrier}</td></tr>
 *   <tr><td>messages and their delivery</td>
 *       <td>{@code Messages}, {@code LeaderMessage}, {@code Channel}, {@code Session}</td></tr>
 *   <tr><td>threads and connections</td>
 *       <td>{@code LinkThread}, {@code LeaderConnections}, {@code Acceptor}, {@code MemberConnection}, {@code LeaderConnector},
 *           {@code Connection}</td></tr>
 *   <tr><td>keys: authentication of launchers</td>
 *       <td>{@code LinkKey}, {@code JobKey}, {@code Hello}, {@code Handshake}</td></tr>
 * </table>
 */
@NullMarked
package dev.muster.runtime.link;

import org.jspecify.annotations.NullMarked;
