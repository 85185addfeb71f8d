package dev.muster.engine.ascend;

import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Tells IP addresses from names and from anything else: nobody is asked. */
final class IpAddress {

    private static final String BYTE = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
    private static final String V4 = BYTE + "(?:\\." + BYTE + "){3}";
    private static final String GROUPS = "[0-9a-fA-F]{1,4}(?::[0-9a-fA-F]{1,4})*";
    private static final Pattern IS_V4 = Pattern.compile(V4);
    private static final Pattern IS_V6 = Pattern.compile("(?:" + GROUPS + ")?(?:::)?(?:" + GROUPS + ")?");

    /** The last two groups may be written as the other kind of address, and the name of an interface may follow. */
    private static final Pattern END = Pattern.compile("(?<=:)" + V4 + "(?=%|$)");

    private static final Pattern ZONE = Pattern.compile("%[A-Za-z0-9_.-]+\\z");
    private static final int MOST_GROUPS = 8;

    private IpAddress() {}

    static boolean matches(String text) {
        return IS_V4.matcher(text).matches() || (text.contains(":") && isV6(text));
    }

    /** Eight groups, or fewer around one gap. */
    private static boolean isV6(String text) {
        String address = ZONE.matcher(END.matcher(text).replaceFirst("0:0")).replaceFirst("");
        long groups =
                Stream.of(address.split(":")).filter(group -> !group.isEmpty()).count();
        return IS_V6.matcher(address).matches()
                && (address.contains("::") ? groups < MOST_GROUPS : groups == MOST_GROUPS);
    }
}
