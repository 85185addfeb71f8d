package dev.muster.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A JDK that the product is tested on.
 *
 * @param home its directory
 * @param feature its version, for example 17
 */
record Jdk(Path home, int feature) {

    /** A list of JAVA_HOMEs, separated by colons. Without it the JDK that runs the tests is the only one. */
    private static final String PROPERTY = "muster.jdks";

    private static final List<Jdk> ALL = find();

    /** All of them, the oldest first. */
    static List<Jdk> all() {
        return ALL;
    }

    static Jdk newest() {
        return ALL.get(ALL.size() - 1);
    }

    Path java() {
        return home.resolve("bin/java");
    }

    /**
     * The share of a test's cases that this JDK runs: the JDKs together run each case once. In {@code ./verify --torture} each JDK runs
     * all cases, in the tests with the tag {@code repeated}.
     */
    <T> List<T> share(List<T> cases) {
        return Repetitions.cases(this, ALL, cases);
    }

    @Override
    public String toString() {
        return "JDK " + feature;
    }

    private static List<Jdk> find() {
        String homes = System.getProperty(PROPERTY, "");
        if (homes.isEmpty()) {
            return List.of(new Jdk(
                    Path.of(System.getProperty("java.home")), Runtime.version().feature()));
        }
        List<Jdk> jdks = new ArrayList<>();
        for (String home : homes.split(":", -1)) {
            jdks.add(new Jdk(Path.of(home), feature(Path.of(home))));
        }
        jdks.sort(Comparator.comparingInt(Jdk::feature));
        return List.copyOf(jdks);
    }

    /** From a line such as {@code JAVA_VERSION="17.0.15"}. */
    private static int feature(Path home) {
        try {
            for (String line : Files.readAllLines(home.resolve("release"))) {
                if (line.startsWith("JAVA_VERSION=")) {
                    String version = line.substring(line.indexOf('"') + 1, line.lastIndexOf('"'));
                    return Runtime.Version.parse(version).feature();
                }
            }
            throw new IllegalStateException(home + "/release does not name a version");
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
