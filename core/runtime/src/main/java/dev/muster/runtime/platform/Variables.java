package dev.muster.runtime.platform;

import dev.muster.runtime.config.Environment;
import dev.muster.runtime.config.Hosts;
import dev.muster.runtime.config.SafeName;
import dev.muster.runtime.config.WholeNumber;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.Host;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/** Checks what a platform's variables say. */
final class Variables {

    private static final Pattern IPV6 =
            Pattern.compile("[0-9a-fA-F]{0,4}(:[0-9a-fA-F]{0,4}){2,7}(:?[0-9]{1,3}(\\.[0-9]{1,3}){3})?");

    private Variables() {}

    /** A value under which a host is found: a name, or an IP address without brackets. */
    static String address(String variable, String value) {
        if (!SafeName.matches(value) && !IPV6.matcher(value).matches()) {
            throw MusterException.configuration(
                    variable + ": " + Printable.quote(value) + " is neither a host name nor an IP address");
        }
        return value;
    }

    /** The number in a variable that is set; the text itself may not even be empty. */
    static String number(Environment environment, String name, int minimum, int maximum) {
        String value = environment.variables().getOrDefault(name, "");
        OptionalInt number = WholeNumber.parse(value, minimum, maximum);
        if (number.isEmpty()) {
            throw MusterException.configuration(
                    name + "=" + Printable.quote(value) + " is not a whole number " + minimum + ".." + maximum);
        }
        return Integer.toString(number.getAsInt());
    }

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
