package dev.muster.engine.mpi;

import dev.muster.spi.GeneratedFile;
import dev.muster.spi.Value;
import dev.muster.spi.ValueText;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The shell scripts of a job: resources of this jar. They are for any POSIX shell and need nothing but the core utilities and
 * OpenSSH's own programs. None holds a value of the job: these come as arguments, or from the environment.
 */
final class Scripts {

    /** What sshd runs for every login. */
    static final GeneratedFile AGENT = script("agent");

    /** Makes a node ready to serve. */
    static final GeneratedFile PREPARE = script("prepare", "room", "address", "interfaces");

    /** Under which mpirun runs: finds out where the hosts are, which interfaces MPI may use, and what mpirun's end means. */
    static final GeneratedFile START = script("start", "room", "clock", "address", "resolve", "interfaces", "end");

    /** What the shell does that becomes a rank. */
    static final GeneratedFile RANK = script("rank");

    /** Waits for hosts that serve ssh themselves. */
    static final GeneratedFile AWAIT = script("await", "client", "clock");

    /** Sends TERM to the ranks of such hosts. */
    static final GeneratedFile SIGNAL = script("signal", "client");

    private Scripts() {}

    /**
     * A script by its name.
     *
     * @param beginnings the names of those that it begins with, because it uses their functions
     */
    private static GeneratedFile script(String name, String... beginnings) {
        ValueText text = new ValueText();
        Stream.concat(Stream.of(beginnings), Stream.of(name)).forEach(part -> text.add(Value.resource(part + ".sh")));
        return new GeneratedFile(name, Optional.empty(), name + ".sh", text.value());
    }
}
