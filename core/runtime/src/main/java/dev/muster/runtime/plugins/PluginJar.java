package dev.muster.runtime.plugins;

import java.util.List;
import java.util.Optional;
import java.util.jar.Attributes;

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

    /** As users know it: {@code plugins/NAME/x.jar}. */
    public String place() {
        return directory + "/" + name;
    }

    /** Whether it brings something for Muster; else it is a library. */
    boolean isDeclared() {
        return manifest.keySet().stream().anyMatch(name -> name.toString().startsWith("Muster-"));
    }

    /** The value of an attribute, where the manifest has it. */
    public Optional<String> attribute(String attribute) {
        return Optional.ofNullable(manifest.getValue(attribute)).map(String::strip);
    }

    /** What is wrong with it. */
    public BrokenPlugin broken(String reason) {
        return new BrokenPlugin(place(), reason, false);
    }
}
