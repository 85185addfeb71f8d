package dev.muster.testkit;

import dev.muster.spi.Engine;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.EngineOption;
import java.io.IOException;
import java.lang.module.ModuleDescriptor.Version;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.Attributes;

/** Rule R1: what an engine and its jar declare. */
final class IdentityRules {

    /** Engines of the launcher's own jar need no declaration. */
    private static final String OWN = "dev.muster.engine.";

    /** The SPI version of this kit. A Muster of this version does not load a jar that was built for a newer one. */
    private static final String SPI = "0.2";

    private static final Set<String> OWN_IDS = Set.of("ascend", "mpi", "pytorch-gpu", "tensorflow-ps");
    private static final String OPTION_NAME = "[a-z][a-z0-9-]*[a-z0-9]";
    private static final String VARIABLE = "[A-Za-z_][A-Za-z0-9_]*[*]?";
    private static final String DURATION = "[0-9]{1,9}(ms|s|m|h|)";
    private static final String COUNT = "[1-9][0-9]{0,8}";

    private final Engine engine;
    private final EngineDescriptor descriptor;
    private final String where;
    private final boolean isOwn;

    IdentityRules(Engine engine) {
        this.engine = engine;
        this.descriptor = engine.descriptor();
        this.where = Engines.name(engine) + ".descriptor";
        this.isOwn = engine.getClass().getName().startsWith(OWN);
    }

    private void require(boolean holds, String seen, String fix) {
        Rule.IDENTITY.require(holds, where, seen, fix);
    }

    /** The descriptor is complete and usable. */
    void checkDescriptor() {
        require(
                engine.descriptor().equals(descriptor),
                "two calls give " + descriptor + " and " + engine.descriptor(),
                "return a constant");
        require(
                isLine(descriptor.summary()),
                "the summary is \"" + descriptor.summary() + "\"",
                "one line, no full stop");
        require(
                isOwn || !OWN_IDS.contains(descriptor.id()),
                "the id is that of Muster's own engine " + descriptor.id(),
                "choose another: nobody could use either");
        require(descriptor.simulatedPorts() >= 0, "simulatedPorts is " + descriptor.simulatedPorts(), "0 or more");
        Set<String> names = new HashSet<>();
        for (EngineOption option : descriptor.options()) {
            require(names.add(option.name()), "two options are called " + option.name(), "give each a name of its own");
            check(option, "the option \"" + option.name() + "\"");
        }
        descriptor.ownedVariables().forEach(this::checkVariable);
    }

    private void checkVariable(String variable) {
        boolean isName = variable.matches(VARIABLE) && variable.length() > 2;
        Rule.ENVIRONMENT.require(
                isName && (isOwn || !variable.startsWith("MUSTER")),
                where,
                "it owns the variable \"" + variable + "\"",
                "own the names of the framework, or a prefix of at least two letters; MUSTER_* is Muster's");
    }

    private void check(EngineOption option, String what) {
        require(
                option.name().matches(OPTION_NAME),
                what + " cannot be a flag",
                "two or more lower-case letters, digits and dashes, beginning with a letter");
        require(!MusterOptions.NAMES.contains(option.name()), what + " is called as one of Muster's own", "rename it");
        require(
                isLine(option.description()),
                what + " has the description \"" + option.description() + "\"",
                "one line");
        require(
                Set.copyOf(option.choices()).size() == option.choices().size()
                        && option.choices().stream().noneMatch(String::isBlank),
                what + " has the choices " + option.choices(),
                "different words");
        option.defaultValue()
                .ifPresent(value -> require(
                        isOfItsKind(option, value),
                        what + " has the default \"" + value + "\", which is no " + option.kind(),
                        "give a default that users could give, or none"));
    }

    private static boolean isOfItsKind(EngineOption option, String value) {
        return switch (option.kind()) {
            case TEXT -> true;
            case PATH -> !value.isEmpty();
            case COUNT -> value.matches(COUNT);
            case DURATION -> value.matches(DURATION);
            case SWITCH -> value.equals("true") || value.equals("false");
            case CHOICE -> option.choices().contains(value);
        };
    }

    private static boolean isLine(String text) {
        return !text.isBlank() && !text.endsWith(".") && text.lines().count() == 1;
    }

    /** The manifest declares the same as the descriptor. Muster lists and chooses the engine from it, without loading code. */
    void checkManifest() throws IOException {
        if (isOwn) {
            return;
        }
        Attributes manifest = JarManifest.of(engine.getClass());
        String expected = descriptor.id() + "; " + descriptor.summary();
        String found = String.valueOf(manifest.getValue("Muster-Engine"));
        require(
                found.equals(expected),
                "the manifest has Muster-Engine: " + found + ", and the engine says " + expected,
                "write the same in both");
        String version = String.valueOf(manifest.getValue("Muster-Spi-Version"));
        require(
                version.matches("[0-9]+[.][0-9]+") && Version.parse(version).compareTo(Version.parse(SPI)) <= 0,
                "the manifest has Muster-Spi-Version: " + version + ", and a Muster with this kit has SPI " + SPI,
                "name the SPI that it is built for, such as " + SPI);
        checkOptions(String.valueOf(manifest.getValue("Muster-Options")));
    }

    private void checkOptions(String declared) {
        Set<String> names = new TreeSet<>();
        descriptor.options().forEach(option -> names.add(option.name()));
        require(
                declared.equals("null")
                        || new TreeSet<>(List.of(declared.strip().split("\\s*,\\s*", -1))).equals(names),
                "the manifest has Muster-Options: " + declared + ", and the engine has " + names,
                "name all its options, or leave the line out");
    }
}
