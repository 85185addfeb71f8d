package dev.muster.runtime.engines;

import dev.muster.runtime.files.Reasons;
import dev.muster.runtime.files.Trust;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The engines of third parties: every directory in {@code plugins} is one plugin, with the jars that lie in it. */
final class Plugins {

    private static final String JARS = "*.jar";

    private final Path directory;
    private final PluginWatch watch;

    Plugins(Path packageHome, PluginWatch watch) {
        directory = packageHome.resolve("plugins");
        this.watch = watch;
    }

    /** Adds what the plugins offer, in the order of their names. Does nothing when there is no such directory. */
    void addTo(Findings findings) {
        if (!Files.isDirectory(directory)) {
            return;
        }
        try {
            for (Path entry : entries(directory, "*")) {
                if (Files.isDirectory(entry)) {
                    add(entry, findings);
                }
            }
            for (Path stray : entries(directory, JARS)) {
                if (!Files.isDirectory(stray)) {
                    addStray(stray, findings);
                }
            }
        } catch (IOException unreadable) {
            findings.addBroken(directory.toString(), words(unreadable));
        }
    }

    private void addStray(Path stray, Findings findings) {
        String name = String.valueOf(stray.getFileName());
        String home = name.substring(0, name.length() - ".jar".length());
        findings.addBroken(
                directory.getFileName() + "/" + name,
                "a jar directly in " + directory.getFileName() + "/ is not looked at; put it, with the libraries it"
                        + " brings, into a directory of its own: " + directory.getFileName() + "/" + home + "/");
    }

    private void add(Path plugin, Findings findings) {
        String place = directory.getFileName() + "/" + plugin.getFileName();
        try {
            List<Path> jars = entries(plugin, JARS);
            if (jars.isEmpty()) {
                findings.addBroken(place, "there is no jar in this directory");
            } else {
                Set<String> warnings = new LinkedHashSet<>();
                if (areTrusted(plugin, jars, findings, warnings)) {
                    add(jars, place, List.copyOf(warnings), findings);
                }
            }
        } catch (IOException unreadable) {
            findings.addBroken(place, words(unreadable));
        }
    }

    private static String words(IOException unreadable) {
        @Nullable String file = unreadable instanceof FileSystemException system ? system.getFile() : null;
        return (file == null ? "" : file + " ") + "cannot be read: " + Reasons.of(unreadable);
    }

    private boolean areTrusted(Path plugin, List<Path> jars, Findings findings, Set<String> warnings)
            throws IOException {
        warnings.addAll(warnings(Trust.ofCode(directory)));
        // What is wrong with a directory is told once, not for each of its jars.
        boolean trusted = isTrusted(plugin, findings, warnings);
        for (Path jar : jars) {
            trusted = trusted && isTrusted(jar, findings, warnings);
        }
        return trusted;
    }

    private static boolean isTrusted(Path path, Findings findings, Set<String> warnings) throws IOException {
        Trust.Judgement judgement = Trust.ofCode(path);
        Optional<Trust.Flaw> flaw = judgement.refusal();
        flaw.ifPresent(found -> findings.addRefused(path.toString(), found.of(path) + "; refused"));
        warnings.addAll(warnings(judgement));
        return flaw.isEmpty();
    }

    private static List<String> warnings(Trust.Judgement judgement) {
        return judgement.warnings().stream()
                .map(flaw -> "plugins: " + flaw.sentence())
                .toList();
    }

    private void add(List<Path> paths, String place, List<String> warnings, Findings findings) {
        List<PluginJar> jars = new ArrayList<>();
        for (Path path : paths) {
            try {
                jars.add(PluginJar.read(path, place + "/" + path.getFileName()));
            } catch (IOException unreadable) {
                findings.addBroken(place, path.getFileName() + " " + unreadable.getMessage());
            }
        }
        Shared loader = new Shared(place, paths);
        for (PluginJar jar : jars) {
            if (jar.problem().isPresent()) {
                findings.addBroken(place, jar.name() + ": " + jar.problem().get());
            } else if (jar.isEngine()) {
                findings.add(Candidate.stranger(jar, place, loader::get, watch, warnings));
            }
        }
        boolean hasEngine = jars.stream().anyMatch(PluginJar::isEngine);
        if (!hasEngine && jars.size() == paths.size()) {
            findings.addBroken(place, "no jar in it names an engine in " + ServiceFile.NAME);
        }
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

    /** One class loader for all jars of a plugin. It stays open: an engine may load its classes at any time. */
    private static final class Shared {

        private final String place;
        private final List<Path> jars;
        private @Nullable ClassLoader loader;

        Shared(String place, List<Path> jars) {
            this.place = place;
            this.jars = jars;
        }

        ClassLoader get() {
            ClassLoader known = loader;
            if (known == null) {
                known = new PluginClassLoader(place, urls());
                loader = known;
            }
            return known;
        }

        private URL[] urls() {
            URL[] urls = new URL[jars.size()];
            for (int index = 0; index < urls.length; index++) {
                try {
                    urls[index] = jars.get(index).toUri().toURL();
                } catch (MalformedURLException impossible) {
                    throw new IllegalStateException("a path of this machine is always a URL", impossible);
                }
            }
            return urls;
        }
    }
}
