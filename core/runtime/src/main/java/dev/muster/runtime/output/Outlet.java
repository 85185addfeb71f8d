package dev.muster.runtime.output;

import java.io.IOException;
import java.io.OutputStream;

/** Standard output or standard error. Once it refuses a byte, it takes everything and drops it. */
final class Outlet {

    private final String name;
    private final OutputStream stream;
    private boolean closed;

    Outlet(String name, OutputStream stream) {
        this.name = name;
        this.stream = stream;
    }

    String name() {
        return name;
    }

    /** False when this call found the outlet closed; later calls are true again. */
    boolean write(byte[] bytes, int from, int count) {
        if (closed) {
            return true;
        }
        try {
            stream.write(bytes, from, count);
            return true;
        } catch (IOException e) {
            closed = true;
            return false;
        }
    }
}
