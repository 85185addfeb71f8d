package dev.muster.engine.pytorch;

import dev.muster.spi.EngineOption;
import dev.muster.spi.OptionValue;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The processes that a node starts. */
enum Mode {
    /** The command once, with added arguments; it starts a process for each card itself. The contract of ModelArts. */
    PER_NODE,
    /** The command once, with nothing added. */
    PLAIN,
    /** The command once for each card, as if torchrun had started it. */
    PER_CARD,
    /** The real torchrun, which starts the command for each card. */
    TORCHRUN;

    static final EngineOption OPTION = EngineOption.choice(
                    "processes",
                    "which processes a node starts: the command once with --init_method, and with several nodes"
                            + " --rank and --world_size; once with nothing added; once per card; or torchrun",
                    Stream.of(values()).map(Mode::word).toArray(String[]::new))
            .withDefault(PER_CARD.word());

    static Mode of(Map<String, OptionValue> options) {
        // The runtime has checked the choice.
        return Optional.ofNullable(options.get(OPTION.name()))
                .map(wanted -> valueOf(wanted.value().toUpperCase(Locale.ROOT).replace('-', '_')))
                .orElse(PER_CARD);
    }

    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The ranks of a node that are processes of its plan. Under torchrun there are none. */
    List<String> ranks(int node, int cards) {
        return switch (this) {
            case PER_NODE, PLAIN -> List.of(Integer.toString(node));
            case PER_CARD ->
                IntStream.range(node * cards, (node + 1) * cards)
                        .mapToObj(Integer::toString)
                        .toList();
            case TORCHRUN -> List.of();
        };
    }
}
