/**
 * Runs a plan. One event loop owns all state. Other threads only post {@link dev.muster.runtime.supervise.Event}s. All side effects go
 * through {@link dev.muster.runtime.supervise.Effects}.
 *
 * <table>
 *   <caption>Where to look</caption>
 *   <tr><td>an attempt on this node, from preparation to cleanup</td>
 *       <td>{@code PlanRun}, {@code PreparedPlan}, {@code ValueResolver}, {@code Supervision}</td></tr>
 *   <tr><td>the event loop, its state and its phases</td>
 *       <td>{@code Supervisor}, {@code AttemptState}, {@code Phases}</td></tr>
 *   <tr><td>starting processes</td>
 *       <td>{@code StartScheduler}, {@code ProcessStarter}, {@code WrapperCommands}, {@code ProcessRegistry}</td></tr>
 *   <tr><td>what ends the job, and which process failed first</td>
 *       <td>{@code OutcomeEvaluator}, {@code OutcomeDecider}, {@code FirstFailureResolver}, {@code CardFaults}</td></tr>
 *   <tr><td>stopping: orders to the native supervisor, which sends the signals</td>
 *       <td>{@code StopCoordinator}, {@code StopTimes}, {@code HostedRankTracker}</td></tr>
 *   <tr><td>before SIGTERM: checkpoints, and time to end by oneself</td>
 *       <td>{@code StopDelays}</td></tr>
 *   <tr><td>events of the native supervisor; signals to the launcher; muster stop and muster ps</td>
 *       <td>{@code SupervisorEvents}, {@code RequestHandler}</td></tr>
 *   <tr><td>other launchers of the job</td>
 *       <td>{@code PeerNotifier}, {@code PeerCommandHandler}, {@code ExitBarrier}</td></tr>
 *   <tr><td>the lock for a part of a job</td>
 *       <td>{@code RunLock}</td></tr>
 *   <tr><td>the directory of logs and results</td>
 *       <td>{@code LogDirectoryClaim}</td></tr>
 *   <tr><td>ranks killed in a simulation</td>
 *       <td>{@code FaultTimer}</td></tr>
 *   <tr><td>lines for the user, and evidence in the verdict</td>
 *       <td>{@code AttemptReporter}, {@code StartProgress}, {@code EvidenceCollector}</td></tr>
 * </table>
 */
@NullMarked
package dev.muster.runtime.supervise;

import org.jspecify.annotations.NullMarked;
