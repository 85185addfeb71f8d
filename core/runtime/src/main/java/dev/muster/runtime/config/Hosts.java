package dev.muster.runtime.config;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/** Lists of hosts as users write them. */
public final class Hosts {

    /** What such a list looks like, for messages. */
    static final String FORM = "a list of different host names or addresses without ports, such as node-0,node-1";

    private static final int LONGEST = 253;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._][A-Za-z0-9._-]*");
    private static final Pattern IPV6 =
            Pattern.compile("[0-9A-Fa-f]*:[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*(%[A-Za-z0-9._-]+)?");

    private Hosts() {}

    /** The hosts of a valid list, IPv6 addresses without the brackets that other lists need for their ports. */
    public static List<String> parse(String list) {
        return Arrays.stream(list.split(",", -1)).map(Hosts::plain).toList();
    }

    static boolean areValid(String list) {
        List<String> hosts = parse(list);
        return hosts.stream().allMatch(Hosts::isHost)
                && hosts.stream().distinct().count() == hosts.size();
    }

    private static String plain(String entry) {
        String host = entry.strip();
        boolean isInBrackets = host.startsWith("[") && host.endsWith("]") && host.indexOf(':') > 0;
        return isInBrackets ? host.substring(1, host.length() - 1) : host;
    }

    /** Whether a text is one host name, or one address without brackets. */
    public static boolean isHost(String host) {
        return host.length() <= LONGEST
                && (NAME.matcher(host).matches() || IPV6.matcher(host).matches());
    }
}
