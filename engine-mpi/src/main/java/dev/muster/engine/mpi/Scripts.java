package dev.muster.engine.mpi;

import dev.muster.spi.FileToWrite;
import dev.muster.spi.RankShell;
import dev.muster.spi.Value;
import java.util.Optional;

/**
 * The shell scripts of a job: resources of this jar. They are for any POSIX shell and need nothing but the core utilities and
 * OpenSSH's own programs. None holds a value of the job: these come as arguments, or from the environment.
 */
final class Scripts {

    /** What sshd runs for every login. */
    static final FileToWrite AGENT = script("agent");

    /** Makes a node ready to serve. */
    static final FileToWrite PREPARE = script("prepare", RankShell.DIFFERENCES, resource("room"));

    /** Under which mpirun runs. */
    static final FileToWrite START = script("start", RankShell.DIFFERENCES, RankShell.RESTORING, resource("room"));

    /** Finds out where the hosts are. */
    static final FileToWrite RESOLVE = script("resolve", RankShell.DIFFERENCES, resource("clock"));

    /** Finds out which network interfaces MPI may use. */
    static final FileToWrite INTERFACES = script("interfaces");

    /** Finds out what mpirun's end means. */
    static final FileToWrite END = script("end", RankShell.DIFFERENCES);

    /** Under which every rank runs. */
    static final FileToWrite RANK = RankShell.script(resource("mpi"));

    /** Waits for hosts that serve ssh themselves. */
    static final FileToWrite AWAIT = script("await", RankShell.DIFFERENCES, resource("client"), resource("clock"));

    /** Sends TERM to the ranks of such hosts. */
    static final FileToWrite SIGNAL = script("signal", resource("client"));

    private Scripts() {}

    /**
     * A script by its name.
     *
     * @param beginnings what it begins with, because it uses their functions
     */
    private static FileToWrite script(String name, Value... beginnings) {
        Value own = resource(name);
        Value text = beginnings.length == 0 ? own : Value.joined(Value.joined(beginnings), own);
        return new FileToWrite(name, Optional.empty(), name + ".sh", text);
    }

    private static Value resource(String name) {
        return new Value.Resource(name + ".sh");
    }
}
