package dev.muster.runtime.platform;

import dev.muster.runtime.config.Hosts;
import dev.muster.runtime.config.SafeName;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.Host;
import dev.muster.spi.OptionValue;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Checks what a platform's variables say. */
final class Variables {

    private Variables() {}

    /**
     * A value that becomes part of paths or host names.
     *
     * @param meaning what it should be, for example {@code a job name}
     */
    static String safeName(String variable, String value, String meaning) {
        if (!SafeName.matches(value)) {
            throw MusterException.configuration(
                    variable + ": " + Printable.quote(value) + " is not " + meaning + " (" + SafeName.FORM + ")");
        }
        return value;
    }

    static OptionValue told(int number, String origin) {
        return new OptionValue(Integer.toString(number), origin);
    }

    /** Hosts that are known by a name or an address alone. */
    static List<Host> hosts(Collection<String> names) {
        return names.stream().map(name -> new Host(name, Optional.empty())).toList();
    }

    /** A host name or an address without a port. */
    static String host(String variable, String value) {
        if (!Hosts.isHost(value)) {
            throw MusterException.configuration(variable + ": " + Printable.quote(value)
                    + " is neither a host name nor an IP address, which has no port here");
        }
        return value;
    }
}
