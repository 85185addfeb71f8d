/**
 * The way from settings to an exit code: the commands {@code launch} and {@code plan}.
 *
 * <table>
 *   <caption>Where to look</caption>
 *   <tr><td>the commands</td>
 *       <td>{@code LaunchCommand}, {@code PlanCommand}</td></tr>
 *   <tr><td>a launch with all its attempts</td>
 *       <td>{@code JobAttempts}, {@code JobAttempt}, {@code Restarts}</td></tr>
 *   <tr><td>asking the engine for its plan</td>
 *       <td>{@code Planning}, {@code LaunchContext}, {@code JobContext}, {@code AllNodes}, {@code EngineResources}</td></tr>
 *   <tr><td>refusals before anything starts</td>
 *       <td>{@code ScaleCheck}</td></tr>
 *   <tr><td>connecting to the other launchers</td>
 *       <td>{@code LinkDecider}, {@code LinkKeys}, {@code LinkSetup}, {@code JobLink}, {@code LinkEventBuffer}</td></tr>
 *   <tr><td>ends while no process runs, and reports of all ends</td>
 *       <td>{@code EarlyExit}, {@code RunReporter}</td></tr>
 *   <tr><td>what users read first</td>
 *       <td>{@code Announcement}</td></tr>
 * </table>
 */
@NullMarked
package dev.muster.runtime.launch;

import org.jspecify.annotations.NullMarked;
