/**
 * Processes of the operating system: starting them in sessions of their own, signalling their groups, finding what they left
 * behind, and surviving the launcher's own death. The only user of Commons Exec.
 *
 * <table>
 *   <caption>Where to look</caption>
 *   <tr><td>starting</td>
 *       <td>{@code ProcessLauncher}, {@code Spawning}, {@code ProcessRequest}, {@code Executables}, {@code ProgramFile}, {@code InheritedEnvironment}, {@code StartLimits}, {@code OpenFiles}</td></tr>
 *   <tr><td>signalling, and surviving the launcher</td>
 *       <td>{@code Warden}, {@code WardenShell}, {@code WardenOrders}, {@code WardenSettings}, {@code LateWarden}, {@code Rounds}</td></tr>
 *   <tr><td>how processes end</td>
 *       <td>{@code ExitWatch}, {@code Termination}, {@code SignalNames}</td></tr>
 *   <tr><td>finding what belongs to a run</td>
 *       <td>{@code ProcessTable}, {@code RunMarker}, {@code Descendants}, {@code Environments}, {@code ProcFiles}, {@code PipeHolders}, {@code LauncherJvm}</td></tr>
 *   <tr><td>signals to the launcher itself</td>
 *       <td>{@code Signals}, {@code SunSignals}, {@code Guard}, {@code IgnoredSignals}, {@code OwnSignals}</td></tr>
 *   <tr><td>killed for memory</td>
 *       <td>{@code MemoryMeter}, {@code MemoryGroups}, {@code MemoryKills}</td></tr>
 *   <tr><td>commands that answer a question; scripts that change variables</td>
 *       <td>{@code Questions}, {@code VariableShell}, {@code VariableScript}, {@code VariableChanges}</td></tr>
 * </table>
 */
@NullMarked
package dev.muster.runtime.process;

import org.jspecify.annotations.NullMarked;
