package dev.muster.runtime.plan;

/**
 * An option and where it came from.
 *
 * @param name without dashes in front
 * @param value as the user would write it
 * @param origin for example {@code --grace}, {@code MUSTER_GRACE}, {@code default}
 * @param isPath whether it says where something is; that is no secret, whatever is there
 */
public record Setting(String name, String value, String origin, boolean isPath) {}
