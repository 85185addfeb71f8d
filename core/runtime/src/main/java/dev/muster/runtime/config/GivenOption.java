package dev.muster.runtime.config;

/**
 * An option as it stood on the command line.
 *
 * @param name of the option
 * @param value as it was given, unchecked
 * @param origin how it was written, for messages: {@code --rank-table} or {@code -o rank-table}
 */
public record GivenOption(String name, String value, String origin) {}
