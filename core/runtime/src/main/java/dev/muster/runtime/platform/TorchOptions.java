package dev.muster.runtime.platform;

import dev.muster.runtime.config.Option;
import dev.muster.runtime.config.Setting;
import dev.muster.spi.OptionValue;
import java.util.Optional;

/** What the variables of {@link TorchVariables} mean to the options of an engine that boots PyTorch. */
final class TorchOptions {

    private static final String PROCESSES = "processes";
    private static final String PER_CARD = "per-card";
    private static final String TORCHRUN = "torchrun";

    private TorchOptions() {}

    /** Why the engine cannot boot a job whose nodes only a torchrun finds out. */
    static Optional<String> refusalOfElastic(Evidence evidence, String kind) {
        boolean canRun = evidence.engine().isEmpty() || canStart(evidence, TORCHRUN);
        return canRun
                ? Optional.empty()
                : Optional.of("this is an elastic " + kind + " (" + TorchVariables.RENDEZVOUS
                        + "): only torchrun finds out how many nodes there are, and engine "
                        + evidence.engine().orElseThrow().id()
                        + " runs none. Use --engine pytorch-gpu, or a job without elasticPolicy");
    }

    /** The scripts of these platforms take their place from variables; they know no arguments for it. */
    static Optional<Setting> of(Option option, Evidence evidence, TorchVariables torch) {
        return switch (option.name()) {
            case PROCESSES -> processes(option, evidence, torch);
            case "master-addr" -> torch.masterAddress().map(found -> setting(option, found));
            case "master-port" -> torch.masterPort().map(found -> setting(option, found));
            default -> Optional.empty();
        };
    }

    private static Optional<Setting> processes(Option option, Evidence evidence, TorchVariables torch) {
        String wanted = torch.isElastic() ? TORCHRUN : PER_CARD;
        return canStart(evidence, wanted)
                ? Optional.of(Setting.ofPlatform(option, wanted, torch.origin()))
                : Optional.empty();
    }

    private static boolean canStart(Evidence evidence, String way) {
        return evidence.engine().isPresent()
                && evidence.engine().get().options().stream()
                        .anyMatch(option -> option.name().equals(PROCESSES)
                                && option.choices().contains(way));
    }

    private static Setting setting(Option option, OptionValue found) {
        return Setting.ofPlatform(option, found.value(), found.origin());
    }
}
