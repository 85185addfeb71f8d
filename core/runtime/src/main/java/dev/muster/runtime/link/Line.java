package dev.muster.runtime.link;

/**
 * A line for the user.
 *
 * @param isWarning whether something may be wrong
 */
record Line(String text, boolean isWarning) {}
