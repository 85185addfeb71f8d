/**
 * Processes of the operating system, which the native supervisor starts, signals, reaps and stops.
 *
 * <table>
 *   <caption>Where to look</caption>
 *   <tr><td>orders to the supervisor</td>
 *       <td>{@code ProcessSupervisor}, {@code ProcessRequest}</td></tr>
 *   <tr><td>events of the supervisor</td>
 *       <td>{@code CallerContext}, {@code ProcessEnd}, {@code SupervisorEvent}, {@code Termination}</td></tr>
 *   <tr><td>the protocol</td>
 *       <td>{@code SupervisorMessage}, {@code ByteText}</td></tr>
 *   <tr><td>under {@code java -jar}</td>
 *       <td>{@code AttachedSupervisor}, {@code SunSignals}</td></tr>
 *   <tr><td>checks before processes start</td>
 *       <td>{@code Executables}, {@code ProgramFile}, {@code StartLimits}, {@code PythonCommand}</td></tr>
 * </table>
 */
@NullMarked
package dev.muster.runtime.process;

import org.jspecify.annotations.NullMarked;
