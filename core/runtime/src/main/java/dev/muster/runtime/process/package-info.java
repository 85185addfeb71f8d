/**
 * Processes of the operating system: starting them in sessions of their own, signalling their groups, finding what they left
 * behind, and surviving the launcher's own death. The only user of Commons Exec.
 */
@NullMarked
package dev.muster.runtime.process;

import org.jspecify.annotations.NullMarked;
