package dev.muster.engine.ascend;

import java.util.regex.Pattern;

/** Tells IP addresses from names, as far as it takes: nobody is asked. */
final class IpAddress {

    private static final String BYTE = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
    private static final Pattern V4 = Pattern.compile(BYTE + "(\\." + BYTE + "){3}");
    private static final Pattern V6 =
            Pattern.compile("(?=.*:.*:)[0-9A-Fa-f:]+(" + V4.pattern() + ")?(%[A-Za-z0-9_.-]+)?");

    private IpAddress() {}

    static boolean matches(String text) {
        return V4.matcher(text).matches() || V6.matcher(text).matches();
    }
}
