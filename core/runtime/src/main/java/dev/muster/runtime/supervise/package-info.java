/**
 * The run of a plan: one event loop that owns all state. Other threads only post {@link
 * dev.muster.runtime.supervise.Event}s; everything done to the world goes through {@link
 * dev.muster.runtime.supervise.Effects}.
 *
 * <table>
 *   <caption>Where to look</caption>
 *   <tr><td>the whole way of a plan on this machine</td>
 *       <td>{@code PlanRun}, {@code PreparedPlan}, {@code ValueResolver}, {@code Supervision}</td></tr>
 *   <tr><td>the event loop, its state and its phases</td>
 *       <td>{@code Supervisor}, {@code AttemptState}, {@code Phases}</td></tr>
 *   <tr><td>starting processes</td>
 *       <td>{@code StartScheduler}, {@code ProcessStarter}, {@code WrapperCommands}, {@code ProcessRegistry}</td></tr>
 *   <tr><td>what ends the job, and who failed first</td>
 *       <td>{@code OutcomeEvaluator}, {@code OutcomeDecider}, {@code FirstFailureResolver}, {@code CardFaults}</td></tr>
 *   <tr><td>stopping: orders to the native supervisor, which does the rest</td>
 *       <td>{@code StopCoordinator}, {@code StopTimes}, {@code HostedRankTracker}</td></tr>
 *   <tr><td>before TERM: checkpoints, and time for those who stop by themselves</td>
 *       <td>{@code StopDelays}</td></tr>
 *   <tr><td>what the native supervisor tells; signals to the launcher; muster stop and muster ps</td>
 *       <td>{@code SupervisorEvents}, {@code RequestHandler}</td></tr>
 *   <tr><td>other launchers of the job</td>
 *       <td>{@code PeerNotifier}, {@code PeerCommandHandler}, {@code ExitBarrier}</td></tr>
 *   <tr><td>one launcher at a time for a part of a job</td>
 *       <td>{@code RunLock}</td></tr>
 *   <tr><td>names of logs and results</td>
 *       <td>{@code LogDirectoryClaim}</td></tr>
 *   <tr><td>faults of a simulation</td>
 *       <td>{@code FaultTimer}</td></tr>
 *   <tr><td>what users hear, and what the verdict says more</td>
 *       <td>{@code AttemptReporter}, {@code StartProgress}, {@code EvidenceCollector}</td></tr>
 * </table>
 */
@NullMarked
package dev.muster.runtime.supervise;

import org.jspecify.annotations.NullMarked;
