package dev.muster.runtime.launch;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.ProcessInfo;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.link.LinkPorts;
import dev.muster.runtime.link.LinkRun;
import dev.muster.runtime.link.LinkSettings;
import dev.muster.runtime.platform.ResolvedJob;
import dev.muster.spi.LauncherNodes;
import dev.muster.spi.PlatformContract;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/** Decides whether and how the launchers of a job use a link. */
final class LinkDecider {

    private static final String REQUIRED = "required";
    static final String OFF = "off";
    private static final String SHARED_ID =
            "Give " + OptionTable.JOB_ID.flag() + " ID, the same on every node and another for every job";

    private final ResolvedJob resolved;
    private final String engine;
    private final Settings settings;
    private final Setting mode;
    private final Setting restarts;
    private final LinkKeys keys;

    /**
     * Whether this launcher uses a link.
     *
     * @param settings of the link; empty: there is no link
     * @param why there is no link; empty: the job has no other launchers
     * @param note what the user should know about that
     */
    record Decision(Optional<LinkSettings> settings, Optional<String> why, Optional<String> note) {}

    /** @param engine the engine's id */
    LinkDecider(ResolvedJob resolved, String engine, ProcessInfo processInfo, Consumer<String> warn) {
        this.resolved = resolved;
        this.engine = engine;
        this.settings = resolved.settings();
        this.mode = settings.find(OptionTable.LINK).orElseThrow();
        this.restarts = settings.find(OptionTable.RESTARTS).orElseThrow();
        this.keys = new LinkKeys(settings, processInfo, warn);
    }

    /**
     * Decides, when all that can be known of the launchers is known.
     *
     * @param launchers of the job; empty: there is one launcher, or the engine wants no link or does not know the others
     * @param nodes the number of nodes of the plan, where the plan tells it
     * @throws MusterException when the job needs a link and cannot have one
     */
    Decision decide(Optional<LauncherNodes> launchers, OptionalInt nodes) {
        if (launchers.isPresent() && launchers.get().all().size() > 1) {
            return decideAmong(launchers.get());
        }
        boolean isAlone =
                launchers.isPresent() || nodes.orElse(resolved.node().count().orElse(1)) == 1;
        if (isAlone) {
            return noLink(Optional.empty(), Optional.empty());
        }
        boolean isUnknown = mayRestart() && resolved.node().hosts().isEmpty();
        if (mode.value().equals(REQUIRED) || isUnknown) {
            throw MusterException.configuration((isUnknown ? given(restarts) : given(mode)) + ": engine " + engine
                    + " cannot tell which launchers the job has. Give --nodes N --node-index I --hosts A,B,... on every"
                    + " node, or leave " + (isUnknown ? restarts.origin() : OptionTable.LINK.flag()) + " out");
        }
        String why = mode.value().equals(OFF) ? given(mode) : "engine " + engine + " names no launchers";
        return noLink(Optional.of(why), Optional.empty());
    }

    private Decision decideAmong(LauncherNodes launchers) {
        if (mode.value().equals(OFF)) {
            if (launchers.required() || mayRestart()) {
                throw MusterException.configuration(given(mode) + ": " + need(launchers)
                        + ", so it cannot be off. Leave " + mode.origin() + " out");
            }
            return noLink(Optional.of(given(mode)), Optional.empty());
        }
        boolean isNeeded = launchers.required() || mayRestart() || mode.value().equals(REQUIRED);
        Optional<Setting> port = settings.given(OptionTable.LINK_PORT);
        boolean canConnect = hasSharedId() || (port.isPresent() && keys.isGiven());
        if (!canConnect) {
            return withoutId(launchers, isNeeded);
        }
        return new Decision(Optional.of(settings(launchers, isNeeded, port)), Optional.empty(), Optional.empty());
    }

    private Decision withoutId(LauncherNodes launchers, boolean isNeeded) {
        if (isNeeded) {
            boolean isOfPlan = launchers.required() || mayRestart();
            throw MusterException.configuration((isOfPlan ? need(launchers) : given(mode) + " wants a link")
                    + " between the nodes, and the job has no id that all of them know. " + SHARED_ID);
        }
        String why = "no id of the job that all nodes know";
        return noLink(
                Optional.of(why),
                Optional.of("this job has no link: there is " + why
                        + ". A failure on one node does not stop the others. " + SHARED_ID));
    }

    private LinkSettings settings(LauncherNodes launchers, boolean isNeeded, Optional<Setting> port) {
        String id =
                hasSharedId() ? resolved.jobId() : "port " + port.orElseThrow().value();
        List<Integer> ports =
                port.map(given -> List.of(Integer.parseInt(given.value()))).orElseGet(() -> LinkPorts.of(id));
        return new LinkSettings(
                id,
                launchers,
                isNeeded,
                // Only without a platform: a platform that starts the nodes also watches them.
                resolved.platform().name().equals(PlatformContract.NONE.name()),
                keys.of(launchers, resolved),
                ports,
                settings.duration(OptionTable.LOST_AFTER),
                settings.duration(OptionTable.GRACE),
                settings.duration(OptionTable.INPUT_TIMEOUT),
                LinkRun.first(0));
    }

    private Decision noLink(Optional<String> why, Optional<String> note) {
        return new Decision(Optional.empty(), why, note);
    }

    private boolean hasSharedId() {
        return settings.given(OptionTable.JOB_ID).isPresent();
    }

    private boolean mayRestart() {
        return !restarts.value().equals("0");
    }

    private String need(LauncherNodes launchers) {
        return launchers.required() ? "engine " + engine + " needs a link" : given(restarts) + " needs a link";
    }

    private static String given(Setting setting) {
        return setting.origin() + "=" + setting.value();
    }
}
