package dev.muster.runtime.cli;

import dev.muster.runtime.config.Command;
import dev.muster.runtime.config.OptionTable;
import dev.muster.spi.EngineDescriptor;
import java.util.List;
import java.util.Optional;

/** Command lines that help and manual show. */
final class Examples {

    private static final String USUAL = "ascend";

    private Examples() {}

    static List<String> of(Command command, Optional<EngineDescriptor> engine) {
        List<String> ofEngine = engine.map(EngineDescriptor::examples).orElse(List.of());
        String id = engine.map(EngineDescriptor::id).orElse(USUAL);
        boolean areMeant = command == Command.LAUNCH || command == Command.PLAN || command == Command.DOCTOR;
        if (!areMeant || ofEngine.isEmpty()) {
            return List.of(command.example(id));
        }
        String start = command == Command.LAUNCH ? "muster " : "muster " + command.word() + " ";
        return ofEngine.stream()
                .map(example -> start + OptionTable.ENGINE.flag() + " " + id + " " + example)
                .toList();
    }
}
