package dev.muster.runtime.plugins;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.jar.Attributes;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A jar of a plugin, and what its manifest declares. None of its classes has been loaded.
 *
 * @param name its file name
 * @param directory of the plugin, as users know it: {@code plugins/NAME}
 * @param manifest its main attributes
 * @param loader of all jars in the directory
 * @param warnings for whoever uses it
 */
public record PluginJar(String name, String directory, Attributes manifest, ClassLoader loader, List<String> warnings) {

    /** The name of the launcher's own jar. */
    public static final String OWN = "muster.jar";

    private static final Pattern CARD =
            Pattern.compile("(?<id>[a-z][a-z0-9]*+(?:-[a-z0-9]++)*+)\\s*;\\s*(?<summary>\\S.*)", Pattern.DOTALL);

    /** What a plugin brings, by the words of its manifest: {@code ID; summary}. */
    public record Card(String id, String summary) {}

    /** As users know it: {@code plugins/NAME/x.jar}. */
    public String place() {
        return directory + "/" + name;
    }

    /** Whether it brings something for Muster; else it is a library. */
    boolean isDeclared() {
        return attribute("Muster-Engine").isPresent()
                || attribute("Muster-Platform").isPresent();
    }

    /** The value of an attribute, where the manifest has it. */
    public Optional<String> attribute(String attribute) {
        return Optional.ofNullable(manifest.getValue(attribute)).map(String::strip);
    }

    /** The names in an attribute, with commas between them. */
    public List<String> list(String attribute) {
        return attribute(attribute)
                .filter(names -> !names.isEmpty())
                .map(names -> List.of(names.split("\\s*,\\s*", -1)))
                .orElse(List.of());
    }

    /** The card in an attribute; empty: the jar has none. */
    public Optional<Card> card(String attribute, Consumer<BrokenPlugin> problems) {
        Optional<String> words = attribute(attribute);
        Optional<Card> card = words.map(CARD::matcher)
                .filter(Matcher::matches)
                .map(found -> new Card(found.group("id"), found.group("summary")));
        if (words.isPresent() && card.isEmpty()) {
            problems.accept(broken(attribute + " in its manifest is not \"ID; summary\", but \"" + words.get() + "\""));
        }
        return card;
    }

    /** A problem of this jar. */
    public BrokenPlugin broken(String reason) {
        return new BrokenPlugin(place(), reason, false);
    }
}
