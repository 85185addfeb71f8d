package dev.muster.runtime.config;

import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.files.IoReasons;
import dev.muster.runtime.files.Trust;
import dev.muster.runtime.json.Json;
import dev.muster.runtime.text.Nearest;
import dev.muster.runtime.text.Printable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The configuration file, if the user names one. There is no default place.
 *
 * @param name as the user gave it, for messages
 * @param content the JSON object in it
 * @param warnings what the user should know about it
 */
public record ConfigFile(String name, Map<String, Object> content, List<String> warnings) {

    /** What there is when no file is named. */
    static final ConfigFile NONE = new ConfigFile("", Map.of(), List.of());

    private static final long LARGEST = 1 << 20;

    /** @param named the setting that names the file */
    static ConfigFile read(Setting named, Path directory) {
        byte[] bytes;
        List<String> warnings;
        try {
            Path file = directory.resolve(named.value());
            Optional<String> problem = problem(file);
            if (problem.isPresent()) {
                throw refusal(named, problem.get());
            }
            warnings = requireTrust(named, file);
            bytes = Files.readAllBytes(file);
        } catch (IOException cause) {
            throw refusal(named, "cannot be read: " + IoReasons.of(cause));
        } catch (InvalidPathException cause) {
            throw refusal(named, "cannot be read: " + cause.getReason());
        }
        return new ConfigFile(
                named.value(), Json.read(bytes).orElseThrow(problem -> refusal(named, problem)), warnings);
    }

    private static MusterException refusal(Setting named, String problem) {
        return MusterException.configuration("configuration file " + Printable.quote(named.value()) + " ("
                + named.origin() + ") " + Printable.escape(problem));
    }

    /** Refuses keys that no option has. */
    void checkKeys(KnownOptions known, Supplier<Set<String>> others) {
        for (String key : content.keySet()) {
            Optional<Option> option = known.find(key);
            boolean isKnown =
                    option.isPresent() ? option.get().isKey() : others.get().contains(key);
            if (!isKnown) {
                throw MusterException.configuration(
                        at(key) + ": there is no such setting" + Nearest.suggestion(key, keys(known)));
            }
        }
    }

    /** The values of an option as texts: several only for one that may be repeated. */
    List<Setting> settings(Option option) {
        if (!option.isKey() || !content.containsKey(option.name())) {
            return List.of();
        }
        return texts(option).stream()
                .map(text -> new Setting(option.name(), text, at(option.name()), Setting.Source.FILE))
                .toList();
    }

    private List<String> texts(Option option) {
        Object value = content.get(option.name());
        if (!(value instanceof List<?> list)) {
            return List.of(text(option, value));
        }
        List<String> texts = list.stream().map(element -> text(option, element)).toList();
        if (option.form().kind() == ValueForm.Kind.CARD_IDS) {
            return List.of(String.join(",", texts));
        }
        if (!option.is(Option.Trait.REPEATABLE)) {
            throw MusterException.configuration(at(option.name()) + ": a list is no value for this setting");
        }
        return texts;
    }

    private String text(Option option, @Nullable Object value) {
        if (value instanceof String || value instanceof Number || value instanceof Boolean) {
            return value.toString();
        }
        throw MusterException.configuration(at(option.name()) + ": the value must be a text, a number, true or false");
    }

    private String at(String key) {
        return Printable.escape(name) + ", /" + Printable.escape(key);
    }

    private static Optional<String> problem(Path file) throws IOException {
        if (Files.notExists(file)) {
            return Optional.of("does not exist");
        }
        BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
        if (!attributes.isRegularFile()) {
            return Optional.of("is not a regular file");
        }
        if (attributes.size() > LARGEST) {
            return Optional.of("is larger than 1 MiB");
        }
        return Optional.empty();
    }

    /** Refuses a file that others can write: they would decide what runs. Returns warnings for the user. */
    private static List<String> requireTrust(Setting named, Path file) throws IOException {
        Trust.Judgement judgement = Trust.ofCode(file);
        if (judgement.refusal().isPresent()) {
            throw refusal(named, judgement.refusal().get().of(file) + "; refused");
        }
        return judgement.warnings().stream()
                .map(flaw -> "configuration file " + Printable.quote(named.value()) + " (" + named.origin() + ") "
                        + Printable.escape(flaw.of(file)))
                .toList();
    }

    private static Collection<String> keys(KnownOptions known) {
        return known.options().stream()
                .filter(Option::isKey)
                .map(Option::name)
                .sorted()
                .toList();
    }
}
