/**
 * Processes of the operating system, which the native supervisor starts, signals, reaps and stops.
 *
 * <table>
 *   <caption>Where to look</caption>
 *   <tr><td>what is asked of the supervisor</td>
 *       <td>{@code ProcessSupervisor}, {@code ProcessRequest}</td></tr>
 *   <tr><td>what it tells</td>
 *       <td>{@code CallerContext}, {@code ProcessEnd}, {@code SupervisorEvent}, {@code Termination}</td></tr>
 *   <tr><td>how both speak</td>
 *       <td>{@code SupervisorMessage}, {@code ByteText}</td></tr>
 *   <tr><td>under {@code java -jar}</td>
 *       <td>{@code AttachedSupervisor}, {@code SunSignals}</td></tr>
 *   <tr><td>before processes are started</td>
 *       <td>{@code Executables}, {@code ProgramFile}, {@code StartLimits}, {@code PythonCommand}</td></tr>
 * </table>
 */
@NullMarked
package dev.muster.runtime.process;

import org.jspecify.annotations.NullMarked;
