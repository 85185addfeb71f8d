package dev.muster.engine.ascend;

/** Tells IP addresses from names and from anything else: nobody is asked. A table has a hundred thousand of them. */
final class IpAddress {

    /** What {@link #v4} returns for a text that is no such address. */
    static final long NONE = -1;

    private static final int BYTES = 4;
    private static final int HIGHEST_BYTE = 255;
    private static final int GROUPS = 8;
    private static final int LONGEST_GROUP = 4;
    private static final String GAP = "::";

    private IpAddress() {}

    static boolean matches(String text) {
        return v4(text) != NONE || isV6(text);
    }

    /** The address as a number, when it is four numbers of 0 to 255, written as short as they can be; else {@link #NONE}. */
    static long v4(String text) {
        byte[] ascii = AsciiText.bytes(text);
        return v4(ascii, 0, ascii.length);
    }

    /** The same for a part of a text that is ASCII, from its start to before its end. */
    static long v4(byte[] text, int start, int end) {
        long address = 0;
        int numbers = 0;
        int at = start;
        while (at < end && numbers < BYTES) {
            int first = at;
            int number = 0;
            while (at < end && isDigit(text[at]) && number <= HIGHEST_BYTE) {
                number = 10 * number + text[at++] - '0';
            }
            boolean isShort = at - first == 1 || (at > first && text[first] != '0');
            numbers++;
            boolean goesOn = at < end && text[at] == '.' && numbers < BYTES;
            if (!isShort || number > HIGHEST_BYTE || (!goesOn && at < end)) {
                return NONE;
            }
            address = address << Byte.SIZE | number;
            if (!goesOn) {
                return numbers == BYTES ? address : NONE;
            }
            at++;
        }
        return NONE;
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
                return mayEndInV4 && colon < 0 && v4(text.substring(start, end)) != NONE ? groups + 2 : -1;
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
