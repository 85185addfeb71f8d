package dev.muster.runtime.platform;

import dev.muster.runtime.config.Environment;
import dev.muster.runtime.config.Hosts;
import dev.muster.runtime.config.SafeName;
import dev.muster.runtime.config.WholeNumber;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.text.Printable;
import java.util.OptionalInt;

/** Checks what a platform's variables say. */
final class Variables {

    private Variables() {}

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

    /** A host name or an address without a port. */
    static String host(String variable, String value) {
        if (!Hosts.isHost(value)) {
            throw MusterException.configuration(variable + ": " + Printable.quote(value)
                    + " is neither a host name nor an IP address, which has no port here");
        }
        return value;
    }
}
