package dev.muster.runtime.manifest;

import dev.muster.runtime.config.Option;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.platform.MindXDl;
import dev.muster.runtime.text.Nearest;
import dev.muster.runtime.text.TextResource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The platforms with a template. */
enum ManifestPlatform {
    /** A vcjob. */
    VOLCANO("volcano", "volcano", "volcano.yaml"),
    /** A vcjob with the ConfigMaps and labels of MindX DL, whose controller writes the rank table. */
    MINDX_DL("mindx", "mindx-dl", "mindx-dl.yaml"),
    /** An Indexed Job and the service that gives its pods names. */
    KUBERNETES("kubernetes", "indexed-job", "kubernetes.yaml"),
    /** A script for sbatch. */
    SLURM("slurm", "slurm", "slurm.sbatch");

    private static final Duration KUBERNETES_GRACE = Duration.ofSeconds(45);
    private static final Duration MINDX_TERMINATION = Duration.ofMinutes(10);
    private static final Duration SLURM_NOTICE = Duration.ofMinutes(2);
    /** The rest of a pod's time after the ranks' grace: for the launcher's end, and for the kubelet. */
    private static final Duration POD_MARGIN = Duration.ofSeconds(15);

    private static final Duration SLURM_MARGIN = Duration.ofSeconds(10);

    private final String word;
    private final String platform;
    private final String template;

    /**
     * @param word the name that users give
     * @param platform the launcher's name of the platform
     */
    ManifestPlatform(String word, String platform, String template) {
        this.word = word;
        this.platform = platform;
        this.template = template;
    }

    /** @throws MusterException no platform is given, or it has no template */
    static ManifestPlatform of(Optional<Setting> named) {
        List<String> known = new ArrayList<>();
        for (ManifestPlatform platform : values()) {
            known.add(platform.word);
            List<String> names = List.of(platform.word, platform.platform);
            if (named.isPresent() && names.contains(named.get().value())) {
                return platform;
            }
        }
        String choices = String.join(", ", known);
        if (named.isEmpty()) {
            throw MusterException.usage("for which platform? Give " + OptionTable.PLATFORM.flag() + ": " + choices);
        }
        throw Settings.refusal(
                named.get(),
                "has no template; there are " + choices
                        + Nearest.suggestion(named.get().value(), known));
    }

    String word() {
        return word;
    }

    Template template() {
        return new Template(TextResource.read(Template.class, template));
    }

    /** The launcher's program on this platform. */
    String program() {
        return this == MINDX_DL ? "/opt/muster/bin/muster" : "muster";
    }

    /** Whether it starts containers. They need an image, and their host names contain the job's name. */
    boolean hasPods() {
        return this != SLURM;
    }

    /** Whether a job must have cards. */
    boolean needsCards() {
        return this == MINDX_DL;
    }

    /** The grace in the launcher's command line; empty if the platform gives it. */
    Optional<Duration> grace(Optional<Duration> given) {
        return switch (this) {
            case VOLCANO, KUBERNETES -> Optional.of(given.orElse(KUBERNETES_GRACE));
            case MINDX_DL -> Optional.empty();
            case SLURM -> given;
        };
    }

    /** How long before the end the platform signals the launcher. */
    Duration notice(Optional<Duration> given) {
        return switch (this) {
            case VOLCANO, KUBERNETES -> given.orElse(KUBERNETES_GRACE).plus(POD_MARGIN);
            case MINDX_DL -> given.map(grace -> grace.plus(MindXDl.MARGIN)).orElse(MINDX_TERMINATION);
            case SLURM -> given.map(grace -> grace.plus(SLURM_MARGIN)).orElse(SLURM_NOTICE);
        };
    }

    /** Whether the platform gives the launcher the number of nodes or cards, so that the command line need not. */
    boolean tells(Option option) {
        boolean isNodes = option.equals(OptionTable.NODES);
        return switch (this) {
            case KUBERNETES -> false;
            case VOLCANO -> isNodes;
            case MINDX_DL, SLURM -> true;
        };
    }
}
