package dev.muster.engine.tensorflow;

import dev.muster.spi.Value;
import java.util.Locale;
import java.util.OptionalInt;

/**
 * The address of a process: host and port.
 *
 * @param host a name or an IP address; an IPv6 address has no brackets
 * @param port 1..65535; empty: a free port, drawn when the attempt starts
 * @param freePort the name of the free port
 */
record Endpoint(String host, OptionalInt port, String freePort) {

    static Endpoint fixed(String host, int port) {
        return new Endpoint(host, OptionalInt.of(port), "");
    }

    /** An address with a free port of this machine. */
    static Endpoint drawn(String host, String freePort) {
        return new Endpoint(host, OptionalInt.empty(), freePort);
    }

    /** {@code host:port}, an IPv6 address in brackets. */
    Value text() {
        return port.isPresent() ? Value.of(label()) : Value.joined(Value.of(prefix()), Value.freePort(freePort));
    }

    /** As {@link #text}, for messages. */
    String label() {
        return prefix() + (port.isPresent() ? Integer.toString(port.getAsInt()) : "<free port>");
    }

    /** A key for comparisons. Spellings of the same address have the same key, if the text alone shows that. */
    String key() {
        return label().toLowerCase(Locale.ROOT);
    }

    private String prefix() {
        return host.indexOf(':') < 0 ? host + ":" : "[" + host + "]:";
    }
}
