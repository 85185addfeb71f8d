package dev.muster.engine.ascend;

/**
 * Writes devices that are of the usual kind into a table of template 1. Each differs from the one before in some digits, as a rule,
 * and what has no more digits than that is written over a copy of it: less work for a launcher that has compiled little of it yet.
 */
final class UsualDevices {

    private static final byte[] ID = AsciiText.bytes("{\"device_id\": \"");
    private static final byte[] ADDRESS = AsciiText.bytes("\", \"device_ip\": \"");
    private static final byte[] RANK = AsciiText.bytes("\", \"rank_id\": \"");
    private static final byte[] END = AsciiText.bytes("\"}");

    private final AsciiText text;

    /** Of the device that was added last: where it stands in the text, and its rank there. */
    private int start;

    private int rankStart;
    private int end;
    private int rank;
    private int idSize;
    private int addressSize;

    UsualDevices(AsciiText text) {
        this.text = text;
    }

    /** Adds one to the end of the text. */
    void add(PlainDevices device, int itsRank) {
        boolean isAlike =
                device.idSize() == idSize && device.addressSize() == addressSize && itsRank == rank + 1 && end > 0;
        if (!isAlike || !copied(device)) {
            write(device, itsRank);
        }
        rank = itsRank;
    }

    /**
     * Whether a copy could be made; where not, nothing was added. One method that does it all: a hundred thousand copies are made before
     * many small ones would have been compiled.
     */
    private boolean copied(PlainDevices device) {
        int at = text.end();
        byte[] to = text.repeat(start, end);
        int digit = text.end() - END.length - 1;
        int rankAt = at + rankStart - start;
        while (digit >= rankAt && to[digit] == '9') {
            to[digit--] = '0';
        }
        if (digit < rankAt) {
            text.cut(at);
            return false;
        }
        to[digit]++;
        byte[] from = device.bytes();
        int there = device.idPlace();
        int here = at + ID.length;
        for (int offset = 0; offset < idSize; offset++) {
            to[here + offset] = from[there + offset];
        }
        there = device.addressPlace();
        here += idSize + ADDRESS.length;
        for (int offset = 0; offset < addressSize; offset++) {
            to[here + offset] = from[there + offset];
        }
        start = at;
        rankStart = rankAt;
        end = text.end();
        return true;
    }

    private void write(PlainDevices device, int itsRank) {
        start = text.end();
        text.append(ID);
        device.appendId(text);
        text.append(ADDRESS);
        device.appendAddress(text);
        rankStart = text.append(RANK).end();
        end = text.append(itsRank).append(END).end();
        idSize = device.idSize();
        addressSize = device.addressSize();
    }
}
