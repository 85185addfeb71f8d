package dev.muster.runtime.platform;

/** Writes IPv6 addresses as everybody does: small letters, no leading zeros, the longest run of zeros as {@code ::}. */
final class Ipv6 {

    private static final int GROUPS = 8;

    private Ipv6() {}

    /** The eight groups of an address in 32 hexadecimal digits. */
    static int[] groups(String digits) {
        int[] groups = new int[GROUPS];
        for (int index = 0; index < GROUPS; index++) {
            groups[index] = Integer.parseInt(digits.substring(4 * index, 4 * index + 4), 16);
        }
        return groups;
    }

    /** The eight groups of an address in 16 bytes. */
    static int[] groups(byte[] bytes) {
        int[] groups = new int[GROUPS];
        for (int index = 0; index < GROUPS; index++) {
            groups[index] = ((bytes[2 * index] & 0xFF) << 8) | (bytes[2 * index + 1] & 0xFF);
        }
        return groups;
    }

    static String format(int[] groups) {
        int[] run = longestRunOfZeros(groups);
        return run[1] < 2
                ? join(groups, 0, GROUPS)
                : join(groups, 0, run[0]) + "::" + join(groups, run[0] + run[1], GROUPS);
    }

    private static String join(int[] groups, int from, int to) {
        StringBuilder text = new StringBuilder();
        for (int index = from; index < to; index++) {
            text.append(index > from ? ":" : "").append(Integer.toHexString(groups[index]));
        }
        return text.toString();
    }

    /** Start and length of the first longest run. */
    private static int[] longestRunOfZeros(int[] groups) {
        int[] longest = {0, 0};
        int length = 0;
        for (int index = 0; index < GROUPS; index++) {
            length = groups[index] == 0 ? length + 1 : 0;
            if (length > longest[1]) {
                longest[0] = index - length + 1;
                longest[1] = length;
            }
        }
        return longest;
    }
}
