package dev.muster.runtime.platform;

import dev.muster.runtime.config.Environment;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.Host;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The names that ModelArts gives a job's containers, which DNS may learn of later than the containers start. */
final class ModelArtsHosts {

    private static final Pattern LABEL = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?");
    private static final int LONGEST_LABEL = 63;

    private final Environment environment;

    ModelArtsHosts(Environment environment) {
        this.environment = environment;
    }

    /** The first of them, in the order of their nodes. */
    List<Host> inOrder(int count) {
        String domain = label(
                environment
                        .value(ModelArts.JOB)
                        .orElseThrow(() -> MusterException.configuration(ModelArts.JOB
                                + " is not set or empty, but the names of the job's " + count
                                + " hosts begin with it. Set it, or give --hosts A,B,...")),
                ModelArts.JOB);
        String task = label(environment.value(ModelArts.ROLE).orElse(ModelArts.WORKER), ModelArts.ROLE);
        List<Host> hosts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String name = label(domain + "-" + task + "-" + i, ModelArts.JOB + " and " + ModelArts.ROLE);
            hosts.add(new Host(name + "." + domain, Optional.empty()));
        }
        return hosts;
    }

    private static String label(String value, String origin) {
        if (LABEL.matcher(value).matches() && value.length() <= LONGEST_LABEL) {
            return value;
        }
        throw MusterException.configuration(origin + ": " + Printable.quote(value)
                + " cannot be part of a host's name: 1 to 63 letters, digits and dashes, no dash at either end. Correct it,"
                + " or give --hosts A,B,...");
    }
}
