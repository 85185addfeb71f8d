package dev.muster.runtime.plan;

/**
 * An option and where it came from, for {@code --show-origin}.
 *
 * @param name without dashes in front
 * @param value as the user would write it
 * @param origin for example {@code --grace}, {@code MUSTER_GRACE}, {@code default}
 */
public record Setting(String name, String value, String origin) {}
