package dev.muster.runtime.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where settings come from: command line, variables, configuration file, in this order. What they say is unchecked here, so
 * that the engine can be found before its options are known.
 *
 * @param given on the command line
 */
public record SettingSources(ProcessInfo processInfo, List<Setting> given, ConfigFile file) {

    /**
     * Reads the configuration file, if one is named.
     *
     * @throws dev.muster.runtime.errors.MusterException when it cannot be read
     */
    public static SettingSources gather(ProcessInfo processInfo, List<Setting> given) {
        SettingSources sources = new SettingSources(processInfo, given, ConfigFile.NONE);
        Optional<Setting> named = sources.strongest(OptionTable.CONFIG);
        return named.isPresent()
                ? new SettingSources(processInfo, given, ConfigFile.read(named.get(), processInfo.directory()))
                : sources;
    }

    /** The same with a command line that was read again, with more options known. */
    public SettingSources with(List<Setting> givenNow) {
        return new SettingSources(processInfo, givenNow, file);
    }

    /** What the strongest source says of an option, if any says something. */
    public Optional<Setting> strongest(Option option) {
        return all(option).stream().findFirst();
    }

    /** What the sources say of an option, strongest first. */
    List<Setting> all(Option option) {
        List<Setting> all = new ArrayList<>(given);
        all.removeIf(one -> !one.name().equals(option.name()));
        addVariable(option, all);
        all.addAll(file.settings(option));
        return all;
    }

    /** An empty variable says nothing: platforms often cannot unset one. */
    private void addVariable(Option option, List<Setting> all) {
        Environment environment = processInfo.environment();
        String variable = option.variable()
                .filter(name -> !environment.isServiceLink(name))
                .orElse("");
        environment.value(variable).ifPresent(value -> {
            String[] values = option.is(Option.Trait.REPEATABLE) ? value.split("\\s*,\\s*") : new String[] {value};
            for (String one : values) {
                all.add(new Setting(option.name(), one, variable, Setting.Source.ENVIRONMENT));
            }
        });
    }
}
