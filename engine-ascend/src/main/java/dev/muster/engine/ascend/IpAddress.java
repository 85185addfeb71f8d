package dev.muster.engine.ascend;

/** Tells IP addresses from names and from anything else: nobody is asked. A table has a hundred thousand of them. */
final class IpAddress {

    private static final int BYTES = 4;
    private static final int HIGHEST_BYTE = 255;
    private static final int GROUPS = 8;
    private static final int LONGEST_GROUP = 4;
    private static final String GAP = "::";

    private IpAddress() {}

    static boolean matches(String text) {
        return isV4(text) || isV6(text);
    }

    /** Four numbers of 0 to 255, written as short as they can be. */
    private static boolean isV4(String text) {
        int numbers = 0;
        int start = 0;
        for (int at = 0; at <= text.length(); at++) {
            if (at == text.length() || text.charAt(at) == '.') {
                boolean isShort = at == start + 1 || (at > start && text.charAt(start) != '0');
                if (!isShort || WholeNumber.parse(text.substring(start, at), HIGHEST_BYTE) == WholeNumber.NONE) {
                    return false;
                }
                numbers++;
                start = at + 1;
            }
        }
        return numbers == BYTES;
    }

    /** Eight groups, or fewer around one gap; the last two may be written as the other kind of address. */
    private static boolean isV6(String text) {
        int zone = text.indexOf('%');
        if (zone >= 0 && !isZone(text, zone + 1)) {
            return false;
        }
        String address = zone < 0 ? text : text.substring(0, zone);
        int gap = address.indexOf(GAP);
        if (gap < 0) {
            return groups(address, true) == GROUPS;
        }
        int before = gap == 0 ? 0 : groups(address.substring(0, gap), false);
        String rest = address.substring(gap + GAP.length());
        int after = rest.isEmpty() ? 0 : groups(rest, true);
        return before >= 0 && after >= 0 && before + after < GROUPS;
    }

    /** How many groups these are; -1: something else is among them. */
    private static int groups(String text, boolean mayEndInV4) {
        int groups = 0;
        int start = 0;
        while (true) {
            int colon = text.indexOf(':', start);
            int end = colon < 0 ? text.length() : colon;
            if (isGroup(text, start, end)) {
                groups++;
            } else {
                return mayEndInV4 && colon < 0 && isV4(text.substring(start, end)) ? groups + 2 : -1;
            }
            if (colon < 0) {
                return groups;
            }
            start = colon + 1;
        }
    }

    private static boolean isGroup(String text, int start, int end) {
        for (int at = start; at < end; at++) {
            char character = text.charAt(at);
            if (!isDigit(character) && !isBetween(character, 'a', 'f') && !isBetween(character, 'A', 'F')) {
                return false;
            }
        }
        return end > start && end - start <= LONGEST_GROUP;
    }

    /** The name of an interface. */
    private static boolean isZone(String text, int start) {
        for (int at = start; at < text.length(); at++) {
            char character = text.charAt(at);
            boolean isLetter = isBetween(character, 'a', 'z') || isBetween(character, 'A', 'Z');
            if (!isLetter && !isDigit(character) && character != '_' && character != '.' && character != '-') {
                return false;
            }
        }
        return start < text.length();
    }

    private static boolean isDigit(int character) {
        return character >= '0' && character <= '9';
    }

    private static boolean isBetween(char character, char first, char last) {
        return character >= first && character <= last;
    }
}
