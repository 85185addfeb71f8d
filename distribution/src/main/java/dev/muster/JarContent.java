package dev.muster;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.util.zip.Adler32;
import java.util.zip.CRC32;

/**
 * Tells jars by what is in them, whatever their time. The directory at the end of a jar has name, size and checksum of every
 * entry; two checksums of this directory take half a millisecond, one of the whole file would take ten times as long.
 */
public final class JarContent {

    private static final int END_SIGNATURE = 0x06054b50;
    private static final int END_SIZE = 22;
    private static final int START_AT = 16;
    private static final int LONGEST_COMMENT = 0xFFFF;
    private static final int LONGEST_DIRECTORY = 1 << 24;

    private JarContent() {}

    /**
     * Prints what the class data of a jar is called after.
     *
     * @param args the jar
     * @throws IOException when it cannot be read
     */
    public static void main(String[] args) throws IOException {
        System.out.println(of(new File(args[0])));
    }

    /** Sixteen hexadecimal digits; others for a file that is no jar. */
    static String of(File jar) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(jar, "r")) {
            byte[] end = last(file, Math.min(file.length(), END_SIZE + LONGEST_COMMENT));
            for (int at = end.length - END_SIZE; at >= 0; at--) {
                if (number(end, at) == END_SIGNATURE) {
                    return checksums(directory(file, end, at));
                }
            }
            return checksums(end);
        }
    }

    /** From the directory's start to the end of the file. */
    private static byte[] directory(RandomAccessFile file, byte[] end, int at) throws IOException {
        long size = file.length() - (number(end, at + START_AT) & 0xFFFFFFFFL);
        return size < END_SIZE || size > LONGEST_DIRECTORY ? end : last(file, size);
    }

    private static byte[] last(RandomAccessFile file, long size) throws IOException {
        byte[] bytes = new byte[(int) size];
        file.seek(file.length() - size);
        file.readFully(bytes);
        return bytes;
    }

    /** Low byte first. */
    private static int number(byte[] bytes, int at) {
        return (bytes[at] & 0xFF)
                | ((bytes[at + 1] & 0xFF) << 8)
                | ((bytes[at + 2] & 0xFF) << 16)
                | ((bytes[at + 3] & 0xFF) << 24);
    }

    private static String checksums(byte[] bytes) {
        CRC32 one = new CRC32();
        one.update(bytes, 0, bytes.length);
        Adler32 other = new Adler32();
        other.update(bytes, 0, bytes.length);
        return hexadecimal(one.getValue()) + hexadecimal(other.getValue());
    }

    private static String hexadecimal(long value) {
        String digits = Long.toHexString(value);
        return "00000000".substring(digits.length()) + digits;
    }
}
