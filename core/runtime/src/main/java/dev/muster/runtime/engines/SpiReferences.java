package dev.muster.runtime.engines;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What of the SPI a class file names, from its constant pool: see The Java Virtual Machine Specification, 4.4. */
final class SpiReferences {

    private static final String SPI = "dev/muster/spi/";

    private static final int UTF8 = 1;
    private static final int CLASS = 7;
    private static final int FIELD = 9;
    private static final int METHOD = 10;
    private static final int INTERFACE_METHOD = 11;
    private static final int NAME_AND_TYPE = 12;

    /**
     * A member of a class of the SPI, or the class.
     *
     * @param owner the class, as class files write it
     * @param name of a field or method, {@code <init>} for a constructor; empty for the class itself
     * @param type of the field or method, as class files write it
     */
    record Reference(String owner, String name, String type) {}

    private final List<Object> constants = new ArrayList<>();

    private SpiReferences(DataInputStream file) throws IOException {
        file.readNBytes(8);
        int count = file.readUnsignedShort();
        constants.add(0);
        while (constants.size() < count) {
            int tag = file.readUnsignedByte();
            constants.add(constant(tag, file));
            // Long numbers take two places.
            if (tag == 5 || tag == 6) {
                constants.add(0);
            }
        }
    }

    /** @throws IOException when this is no class file */
    static List<Reference> in(byte[] classFile) throws IOException {
        try {
            return new SpiReferences(new DataInputStream(new ByteArrayInputStream(classFile))).all();
        } catch (ClassCastException | IndexOutOfBoundsException broken) {
            throw new IOException("no class file", broken);
        }
    }

    /** Two numbers of other constants; one, and zero; or a text. */
    private static Object constant(int tag, DataInputStream file) throws IOException {
        return switch (tag) {
            case UTF8 -> file.readUTF();
            case CLASS -> new Pair(tag, file.readUnsignedShort(), 0);
            case FIELD, METHOD, INTERFACE_METHOD, NAME_AND_TYPE ->
                new Pair(tag, file.readUnsignedShort(), file.readUnsignedShort());
            default -> {
                file.readNBytes(length(tag));
                yield 0;
            }
        };
    }

    private static int length(int tag) throws IOException {
        return switch (tag) {
            case 8, 16, 19, 20 -> 2;
            case 15 -> 3;
            case 3, 4, 17, 18 -> 4;
            case 5, 6 -> 8;
            default -> throw new IOException("a constant of an unknown kind: " + tag);
        };
    }

    private List<Reference> all() {
        List<Reference> found = new ArrayList<>();
        for (Object constant : constants) {
            if (constant instanceof Pair pair && pair.tag() != NAME_AND_TYPE) {
                Reference reference = pair.tag() == CLASS
                        ? new Reference((String) constants.get(pair.first()), "", "")
                        : member(pair);
                if (reference.owner().startsWith(SPI)) {
                    found.add(reference);
                }
            }
        }
        return found;
    }

    private Reference member(Pair pair) {
        Pair owner = (Pair) constants.get(pair.first());
        Pair what = (Pair) constants.get(pair.second());
        return new Reference((String) constants.get(owner.first()), (String) constants.get(what.first()), (String)
                constants.get(what.second()));
    }

    private record Pair(int tag, int first, int second) {}
}
