package dev.muster.spi;

/**
 * A value with the place it came from, for messages.
 *
 * @param value what was given, checked for its form
 * @param origin for example {@code --rank-table}, {@code MUSTER_RANK_TABLE}, {@code muster.json}, {@code default}
 * @since 0.1
 */
public record OptionValue(String value, String origin) {}
