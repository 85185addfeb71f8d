package dev.muster.runtime.config;

import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.text.Durations;
import dev.muster.runtime.text.Printable;
import dev.muster.runtime.text.Secrets;
import dev.muster.spi.OptionValue;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * The settings of this launcher: every option that has a value, with its origin. All values have the right form.
 *
 * @param byName the values of options, by their names
 * @param warnings what the user should know about the sources
 */
public record Settings(KnownOptions known, Map<String, List<Setting>> byName, List<String> warnings) {

    /** The setting of an option, if it has a value. */
    public Optional<Setting> find(Option option) {
        return all(option).stream().findFirst();
    }

    /** The setting of an option, if somebody gave one: not the default. */
    public Optional<Setting> given(Option option) {
        return find(option).filter(setting -> setting.source() != Setting.Source.DEFAULT);
    }

    /** The setting of the option with this name, if somebody gave one. */
    public Optional<Setting> given(String name) {
        return known.find(name).flatMap(this::given);
    }

    /** The secrets that {@code --mask} names. */
    public Secrets secrets() {
        return new Secrets(all(OptionTable.MASK).stream().map(Setting::value).toList());
    }

    /** All settings of an option that may be repeated. */
    public List<Setting> all(Option option) {
        return byName.getOrDefault(option.name(), List.of());
    }

    public Optional<String> text(Option option) {
        return find(option).map(Setting::value);
    }

    public OptionalInt number(Option option) {
        return text(option).stream().mapToInt(Integer::parseInt).findFirst();
    }

    /** The value of an option that has a default. */
    public Duration duration(Option option) {
        return findDuration(option).orElseThrow();
    }

    public Optional<Duration> findDuration(Option option) {
        return text(option).map(Durations::parse);
    }

    /** An absolute path. */
    public Optional<Path> path(Option option) {
        return text(option).map(Path::of);
    }

    /** Whether a switch is on. */
    public boolean isOn(Option option) {
        return text(option).filter("true"::equals).isPresent();
    }

    /** What the chosen engine gets: those of its options that have a value. */
    public Map<String, OptionValue> engineOptions() {
        Map<String, OptionValue> values = new TreeMap<>();
        optionsOfEngine()
                .forEach(option ->
                        find(option).ifPresent(setting -> values.put(option.name(), setting.toOptionValue())));
        return values;
    }

    /** The options that the chosen engine declares for its jobs. */
    public List<Option> optionsOfEngine() {
        return known.options().stream()
                .filter(option -> option.is(Option.Trait.OF_ENGINE))
                .toList();
    }

    /** All settings in the order of the help, without options of the command line alone. */
    public List<Setting> list() {
        return known.options().stream()
                .filter(option -> !option.is(Option.Trait.ONLY_ON_COMMAND_LINE))
                .flatMap(option -> all(option).stream())
                .toList();
    }

    /** A setting as users are shown it. */
    public record Shown(String name, String value, String origin) {}

    /**
     * All of the {@link #list}, with secrets masked.
     *
     * @param mask takes more out of the values
     */
    public List<Shown> shown(UnaryOperator<String> mask) {
        return list().stream()
                .map(setting -> new Shown(setting.name(), mask.apply(shown(setting)), setting.origin()))
                .toList();
    }

    /** The value of a setting, masked if it is secret. A path is no secret, even if the file holds one. */
    String shown(Setting setting) {
        boolean isPath = known.find(setting.name())
                .filter(option -> option.form().kind() == ValueForm.Kind.PATH)
                .isPresent();
        return isPath
                ? secrets().hide(setting.value())
                : secrets().show(setting.name().replace('-', '_'), setting.value());
    }

    /** These settings, with more warnings. */
    public Settings warnedOf(List<String> more) {
        List<String> all = new ArrayList<>(more);
        all.addAll(warnings);
        return new Settings(known, byName, all);
    }

    /** These settings, with some replaced: by what the platform says, for example. */
    public Settings with(List<Setting> replacements) {
        Map<String, List<Setting>> replaced = new LinkedHashMap<>(byName);
        for (Setting setting : replacements) {
            replaced.put(setting.name(), List.of(setting));
        }
        return new Settings(known, replaced, warnings);
    }

    /**
     * The refusal of a value that has the right form, but is wrong here.
     *
     * @param problem to be read after the value
     */
    public static MusterException refusal(Setting setting, String problem) {
        return new MusterException(
                setting.source().exitCode(),
                setting.origin() + ": " + Printable.quote(setting.value()) + " " + problem);
    }
}
