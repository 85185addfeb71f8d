package dev.muster.engine.ascend;

import java.util.regex.Pattern;

/** Tells whether a text is an IP address, without a name lookup. */
final class IpAddress {

    private static final String BYTE = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
    private static final String V4 = BYTE + "(?:\\." + BYTE + "){3}";

    /** The last two groups may be an IPv4 address, and the name of an interface may follow. */
    private static final String V6 = "[0-9a-fA-F]*:[0-9a-fA-F:]*:(?:[0-9a-fA-F]*|" + V4 + ")(?:%[A-Za-z0-9_.-]+)?";

    private static final Pattern ADDRESS = Pattern.compile(V4 + "|" + V6);

    private IpAddress() {}

    static boolean matches(String text) {
        return ADDRESS.matcher(text).matches();
    }
}
