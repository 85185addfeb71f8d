package dev.muster.runtime.config;

import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.EngineOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The options that may be given: Muster's own, and where an engine is chosen also the engine's. */
public final class KnownOptions {

    private static final Pattern FLAG_NAME = Pattern.compile("[a-z][a-z0-9-]*[a-z0-9]");

    private static final KnownOptions OF_MUSTER = new KnownOptions(OptionTable.rows(), Optional.empty());

    private final Map<String, Option> byName = new LinkedHashMap<>();

    private final Optional<EngineDescriptor> engine;

    private KnownOptions(List<Option> options, Optional<EngineDescriptor> engine) {
        this.engine = engine;
        for (Option option : options) {
            if (byName.put(option.name(), option) != null) {
                throw new IllegalArgumentException("there are two options called " + option.name());
            }
        }
    }

    /** The options that do not depend on an engine. */
    public static KnownOptions ofMuster() {
        return OF_MUSTER;
    }

    /**
     * The options of Muster and of an engine.
     *
     * @throws IllegalArgumentException when the engine's options cannot be added: names that are taken or cannot be flags,
     *     default values of a wrong form
     */
    public static KnownOptions with(EngineDescriptor engine) {
        List<Option> options = new ArrayList<>(OptionTable.rows());
        engine.options().forEach(option -> options.add(checked(option)));
        return new KnownOptions(options, Optional.of(engine));
    }

    /** The engine whose options these are, besides Muster's. */
    public Optional<EngineDescriptor> engine() {
        return engine;
    }

    public Optional<Option> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    public Collection<Option> options() {
        return Collections.unmodifiableCollection(byName.values());
    }

    /** The options of a command, in the order of the help. */
    public List<Option> optionsOf(Command command) {
        return byName.values().stream()
                .filter(option -> option.belongsTo(command))
                .toList();
    }

    /** The long flags of a command, to suggest one after a typing mistake. */
    public List<String> longFlagsOf(Command command) {
        return optionsOf(command).stream()
                .map(Option::flag)
                .filter(flag -> flag.startsWith("--"))
                .toList();
    }

    private static Option checked(EngineOption option) {
        if (!FLAG_NAME.matcher(option.name()).matches()) {
            throw new IllegalArgumentException("an option cannot be called \"" + option.name()
                    + "\": two or more lower-case letters, digits and dashes, beginning with a letter");
        }
        return Option.of(option);
    }
}
