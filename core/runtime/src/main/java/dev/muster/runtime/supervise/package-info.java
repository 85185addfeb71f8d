/**
 * The run of a plan: one event loop that owns all state. Other threads only post {@link
 * dev.muster.runtime.supervise.Event}s; everything done to the world goes through {@link
 * dev.muster.runtime.supervise.Effects}.
 *
 * <table>
 *   <caption>Where to look</caption>
 *   <tr><td>the whole way of a plan on this machine</td>
 *       <td>{@code PlanRun}, {@code Preparation}, {@code Supervision}</td></tr>
 *   <tr><td>the event loop, and its phases</td>
 *       <td>{@code Supervisor}, {@code SupervisorModule}, {@code EventDispatcher}, {@code Phases}, {@code StopPhases}</td></tr>
 *   <tr><td>starting processes</td>
 *       <td>{@code Starter}, {@code ProcessStarts}, {@code WrapperCommands}, {@code Roster}</td></tr>
 *   <tr><td>what ends the job, and who failed first</td>
 *       <td>{@code Judge}, {@code Decisions}, {@code Ending}, {@code FirstFailureResolver}</td></tr>
 *   <tr><td>stopping: orders to the native supervisor, which does the rest</td>
 *       <td>{@code Stops}, {@code StopOrders}, {@code StopTimes}, {@code HostedRankEnds}</td></tr>
 *   <tr><td>before TERM: checkpoints, and time for those who stop by themselves</td>
 *       <td>{@code Checkpoint}, {@code Ending}</td></tr>
 *   <tr><td>what the native supervisor tells; signals to the launcher; muster stop and muster ps</td>
 *       <td>{@code SupervisorEvents}, {@code Interruptions}, {@code Requests}</td></tr>
 *   <tr><td>other launchers of the job</td>
 *       <td>{@code Company}, {@code Orders}, {@code Parting}, {@code Announcements}</td></tr>
 *   <tr><td>one launcher at a time for a part of a job</td>
 *       <td>{@code RunLock}</td></tr>
 *   <tr><td>what attempts have in common, and services that are kept for the next</td>
 *       <td>{@code RunScope}, {@code KeptServices}</td></tr>
 *   <tr><td>names of logs and results</td>
 *       <td>{@code RunLogs}, {@code OwnNames}, {@code FileNames}</td></tr>
 *   <tr><td>faults of cards; faults of a simulation</td>
 *       <td>{@code CardFaults}, {@code Resets}, {@code FaultWatch}, {@code FaultTimer}</td></tr>
 *   <tr><td>what the verdict says more</td>
 *       <td>{@code Inquiry}</td></tr>
 * </table>
 */
@NullMarked
package dev.muster.runtime.supervise;

import org.jspecify.annotations.NullMarked;
