package dev.muster.runtime.process;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Who started a process, and who started that one: up to the first of its PID namespace, or to one that came from outside of it. */
public record Ancestry(List<LiveProcess> chain) {

    private static final int MOST = 100;

    /** The first of the namespace: when it ends, all others are killed. */
    private static final long INIT = 1;

    public Ancestry {
        chain = List.copyOf(chain);
    }

    /** Of a process, which stands first. */
    public static Ancestry of(long pid) {
        List<LiveProcess> chain = new ArrayList<>();
        Optional<LiveProcess> next = ProcFiles.process(pid);
        while (next.isPresent() && chain.size() < MOST) {
            chain.add(next.get());
            long parent = next.get().parent();
            next = parent == 0 ? Optional.empty() : ProcFiles.process(parent);
        }
        return new Ancestry(chain);
    }

    /** Whether it came into the namespace from outside, as the hook of a container does. */
    public boolean isFromOutside() {
        return !chain.isEmpty()
                && chain.get(chain.size() - 1).parent() == 0
                && chain.get(chain.size() - 1).pid() != INIT;
    }

    /** Whether the end of the process most likely ends its container: it is the first process, or was started by its script. */
    public boolean isContainers() {
        if (chain.isEmpty()) {
            return false;
        }
        LiveProcess last = chain.get(chain.size() - 1);
        return last.pid() == INIT && last.session() == chain.get(0).session();
    }

    /** Whether none of them is left. */
    public boolean haveEnded() {
        return chain.stream()
                .noneMatch(process ->
                        ProcessTable.isThere(process.pid(), process.id().start()));
    }
}
