package dev.muster.engine.mpi;

import dev.muster.spi.GeneratedFile;
import dev.muster.spi.Value;
import dev.muster.spi.ValueText;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The shell scripts of a job: resources of this jar. They run in any POSIX shell, and need only the core utilities and
 * OpenSSH's programs. No script contains a value of the job: values come as arguments, or from the environment.
 */
final class Scripts {

    /** sshd runs it for every login. */
    static final GeneratedFile AGENT = script("agent");

    /** Prepares a node for logins. */
    static final GeneratedFile PREPARE = script("prepare", "room", "address", "interfaces");

    /** Runs mpirun. It finds the addresses of hosts, the interfaces that MPI may use, and the reason of mpirun's end. */
    static final GeneratedFile START = script("start", "room", "clock", "address", "resolve", "interfaces", "end");

    /** Sourced by the shell that starts a rank. */
    static final GeneratedFile RANK = script("rank");

    /** Waits for hosts that serve ssh themselves. */
    static final GeneratedFile AWAIT = script("await", "client", "clock");

    /** Sends TERM to the ranks of such hosts. */
    static final GeneratedFile SIGNAL = script("signal", "client");

    private Scripts() {}

    /**
     * A script by its name.
     *
     * @param beginnings the names of scripts that are put before it, because it uses their functions
     */
    private static GeneratedFile script(String name, String... beginnings) {
        ValueText text = new ValueText();
        Stream.concat(Stream.of(beginnings), Stream.of(name)).forEach(part -> text.add(Value.resource(part + ".sh")));
        return new GeneratedFile(name, Optional.empty(), name + ".sh", text.value());
    }
}
