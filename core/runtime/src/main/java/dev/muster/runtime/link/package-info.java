/**
 * The link between the launchers of a job: one of them leads, the others connect to it, and all end as one. What is said and
 * heard, and when, is decided by {@link dev.muster.runtime.link.Party parties} that know no connection and no clock; sockets,
 * keys and lines are another matter.
 */
@NullMarked
package dev.muster.runtime.link;

import org.jspecify.annotations.NullMarked;
