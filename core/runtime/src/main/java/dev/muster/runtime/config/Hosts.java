package dev.muster.runtime.config;

import java.util.List;

/** Lists of hosts as users write them. */
public final class Hosts {

    /** What such a list looks like, for messages. */
    static final String FORM = "a list of different host names or addresses, such as node-0,node-1";

    private static final int LONGEST = 253;

    private Hosts() {}

    /** The hosts of a valid list. */
    public static List<String> parse(String list) {
        return List.of(list.split(",", -1));
    }

    static boolean areValid(String list) {
        List<String> hosts = parse(list);
        return hosts.stream().allMatch(Hosts::isValid)
                && hosts.stream().distinct().count() == hosts.size();
    }

    private static boolean isValid(String host) {
        return !host.isEmpty()
                && host.length() <= LONGEST
                && host.charAt(0) != '-'
                && host.chars().allMatch(Hosts::isOfHost);
    }

    private static boolean isOfHost(int character) {
        return (character >= 'a' && character <= 'z')
                || (character >= 'A' && character <= 'Z')
                || (character >= '0' && character <= '9')
                || ".-_:%".indexOf(character) >= 0;
    }
}
