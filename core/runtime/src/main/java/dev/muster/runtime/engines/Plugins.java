package dev.muster.runtime.engines;

import dev.muster.runtime.files.Trust;
import dev.muster.spi.Engine;
import java.io.IOException;
import java.net.URL;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.zip.ZipFile;

/** The engines of third parties: every directory in {@code plugins} is one plugin, with the jars that lie in it. */
final class Plugins {

    private final Path directory;

    Plugins(Path packageHome) {
        directory = packageHome.resolve("plugins");
    }

    /** Adds what the plugins offer, in the order of their names. Does nothing when there is no such directory. */
    void addTo(Findings findings) {
        if (!Files.isDirectory(directory)) {
            return;
        }
        try {
            for (Path plugin : entries(directory, "*")) {
                if (Files.isDirectory(plugin)) {
                    add(plugin, findings);
                }
            }
        } catch (IOException unreadable) {
            findings.addBroken(directory.toString(), unreadable.toString());
        }
    }

    /** The class loader stays open as long as the launcher runs: an engine may load its classes at any time. */
    private void add(Path plugin, Findings findings) {
        String place = directory.getFileName() + "/" + plugin.getFileName();
        try {
            List<Path> jars = entries(plugin, "*.jar");
            if (jars.isEmpty()) {
                findings.addBroken(place, "there is no jar in this directory");
            } else if (areTrusted(plugin, jars, findings) && fit(jars, place, findings)) {
                PluginClassLoader loader = new PluginClassLoader(place, urls(jars));
                if (!findings.addAll(ServiceLoader.load(Engine.class, loader), place)) {
                    findings.addBroken(place, whyNothing(jars));
                }
            }
        } catch (IOException unreadable) {
            findings.addBroken(place, unreadable.toString());
        }
    }

    /** A class loader passes over jars that it cannot read, without a word. */
    private static String whyNothing(List<Path> jars) {
        for (Path jar : jars) {
            try {
                new ZipFile(jar.toFile()).close();
            } catch (IOException unreadable) {
                return jar.getFileName() + " cannot be read: " + unreadable.getMessage();
            }
        }
        return "no jar in it names an engine in META-INF/services/" + Engine.class.getName();
    }

    private static boolean areTrusted(Path plugin, List<Path> jars, Findings findings) throws IOException {
        boolean trusted = isTrusted(plugin, findings);
        for (Path jar : jars) {
            // What is wrong with the directory has been told.
            trusted = trusted && isTrusted(jar, findings);
        }
        return trusted;
    }

    private static boolean isTrusted(Path path, Findings findings) throws IOException {
        Optional<Trust.Flaw> flaw = Trust.ofCode(path).refusal();
        flaw.ifPresent(found -> findings.addRefused(path.toString(), found.of(path) + "; refused"));
        return flaw.isEmpty();
    }

    /** An engine that was compiled against words which are gone would fail somewhere, with some error of Java's. */
    private static boolean fit(List<Path> jars, String place, Findings findings) {
        Optional<String> problem =
                jars.stream().flatMap(jar -> SpiVersion.mismatch(jar).stream()).findFirst();
        problem.ifPresent(line -> findings.addBroken(place, line));
        return problem.isEmpty();
    }

    private static List<Path> entries(Path directory, String glob) throws IOException {
        List<Path> entries = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory, glob)) {
            for (Path entry : stream) {
                entries.add(entry);
            }
        }
        Collections.sort(entries);
        return entries;
    }

    private static URL[] urls(List<Path> jars) throws IOException {
        URL[] urls = new URL[jars.size()];
        for (int index = 0; index < urls.length; index++) {
            urls[index] = jars.get(index).toUri().toURL();
        }
        return urls;
    }
}
