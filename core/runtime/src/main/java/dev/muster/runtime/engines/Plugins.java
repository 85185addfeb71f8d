package dev.muster.runtime.engines;

import dev.muster.runtime.files.Reasons;
import dev.muster.runtime.files.Trust;
import java.io.IOException;
import java.io.InputStream;
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
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.zip.ZipEntry;
import org.jspecify.annotations.Nullable;

/** The engines of third parties: every directory in {@code plugins} is one plugin, with the jars that lie in it. */
final class Plugins {

    private static final String ENGINE = "Muster-Engine";
    private static final String OPTIONS = "Muster-Options";
    private static final String JARS = "*.jar";

    private final Path directory;
    private final PluginWatch watch;
    private final EngineJars found;

    /** @param found gets what the plugins offer, in the order of their names */
    Plugins(Path packageHome, PluginWatch watch, EngineJars found) {
        directory = packageHome.resolve("plugins");
        this.watch = watch;
        this.found = found;
    }

    /** Looks for them. Does nothing when there is no such directory. */
    void find() {
        if (!Files.isDirectory(directory)) {
            return;
        }
        try {
            for (Path entry : entries(directory, "*")) {
                String name = String.valueOf(entry.getFileName());
                if (Files.isDirectory(entry)) {
                    add(entry);
                } else if (name.endsWith(".jar")) {
                    String home = name.substring(0, name.length() - ".jar".length());
                    addBroken(
                            "plugins/" + name,
                            "a jar directly in plugins/ is not looked at; put it, with the libraries it brings, into a"
                                    + " directory of its own: plugins/" + home + "/");
                }
            }
        } catch (IOException unreadable) {
            addBroken(directory.toString(), words(unreadable));
        }
    }

    private void addBroken(String place, String reason) {
        found.addBroken(place, reason, BrokenEngine.Kind.UNUSABLE);
    }

    private static String words(IOException unreadable) {
        @Nullable String file = unreadable instanceof FileSystemException system ? system.getFile() : null;
        return (file == null ? "" : file + " ") + "cannot be read: " + Reasons.of(unreadable);
    }

    private void add(Path plugin) {
        String place = "plugins/" + plugin.getFileName();
        try {
            List<Path> jars = entries(plugin, JARS);
            Set<String> warnings = new LinkedHashSet<>();
            if (jars.isEmpty()) {
                addBroken(place, "there is no jar in this directory");
            } else if (areTrusted(plugin, jars, warnings)) {
                add(jars, place, List.copyOf(warnings));
            }
        } catch (IOException unreadable) {
            addBroken(place, words(unreadable));
        }
    }

    /** What is wrong with a directory is told once, not for each of its jars. */
    private boolean areTrusted(Path plugin, List<Path> jars, Set<String> warnings) throws IOException {
        addWarnings(Trust.ofCode(directory), warnings);
        boolean trusted = isTrusted(plugin, warnings);
        for (Path jar : jars) {
            trusted = trusted && isTrusted(jar, warnings);
        }
        return trusted;
    }

    private boolean isTrusted(Path path, Set<String> warnings) throws IOException {
        Trust.Judgement judgement = Trust.ofCode(path);
        Optional<Trust.Flaw> flaw = judgement.refusal();
        flaw.ifPresent(
                wrong -> found.addBroken(path.toString(), wrong.of(path) + "; refused", BrokenEngine.Kind.REFUSED));
        addWarnings(judgement, warnings);
        return flaw.isEmpty();
    }

    private static void addWarnings(Trust.Judgement judgement, Set<String> warnings) {
        judgement.warnings().forEach(flaw -> warnings.add("plugins: " + flaw.sentence()));
    }

    /** One class loader for all jars of a plugin. It stays open: an engine may load its classes at any time. */
    private void add(List<Path> jars, String place, List<String> warnings) throws IOException {
        URL[] urls = new URL[jars.size()];
        for (int index = 0; index < urls.length; index++) {
            urls[index] = url(jars.get(index));
        }
        PluginClassLoader loader = new PluginClassLoader(place, urls);
        boolean isWithoutEngine = true;
        for (Path jar : jars) {
            try {
                isWithoutEngine &= !add(jar, place, loader, warnings);
            } catch (IOException unusable) {
                isWithoutEngine = false;
                addBroken(place, jar.getFileName() + String.valueOf(unusable.getMessage()));
            }
        }
        if (isWithoutEngine) {
            addBroken(place, "no jar in it names an engine in " + EngineJars.SERVICES);
        }
    }

    private static URL url(Path jar) throws MalformedURLException {
        return jar.toUri().toURL();
    }

    /**
     * Adds a jar, unless it is a library.
     *
     * @return whether it is an engine
     * @throws IOException with what is wrong with it, to be read after its name
     */
    private boolean add(Path jar, String place, PluginClassLoader loader, List<String> warnings) throws IOException {
        // A pipe would be waited for.
        if (!Files.isRegularFile(jar)) {
            throw new IOException(" is no regular file");
        }
        Attributes manifest;
        List<String> classes;
        try (JarFile file = new JarFile(jar.toFile(), false)) {
            manifest = Optional.ofNullable(file.getManifest())
                    .map(Manifest::getMainAttributes)
                    .orElseGet(Attributes::new);
            classes = classes(file);
        } catch (IOException unreadable) {
            throw new IOException(" cannot be read: " + Reasons.of(unreadable), unreadable);
        }
        @Nullable String card = manifest.getValue(ENGINE);
        if (card == null) {
            DeclaredEngine silent = declared(manifest, "", "", jar, place);
            found.addSilent(new Candidate(silent, classes, EngineCode.plugin(silent, loader, watch), warnings));
            return !classes.isEmpty();
        }
        Matcher words = EngineJars.card(card)
                .orElseThrow(() -> new IOException(
                        ": " + ENGINE + " in its manifest is not \"ID; summary\", but \"" + card + "\""));
        DeclaredEngine declared =
                declared(manifest, words.group("id"), words.group("summary").strip(), jar, place);
        if (classes.isEmpty()) {
            throw new IOException(
                    ": it declares engine " + declared.id() + ", but names no class of it in " + EngineJars.SERVICES);
        }
        found.add(new Candidate(declared, classes, EngineCode.plugin(declared, loader, watch), warnings));
        return true;
    }

    private static List<String> classes(JarFile file) throws IOException {
        @Nullable ZipEntry services = file.getEntry(EngineJars.SERVICES);
        if (services == null) {
            return List.of();
        }
        try (InputStream content = file.getInputStream(services)) {
            return EngineJars.services(content).stream().map(EngineJars::type).toList();
        }
    }

    private static DeclaredEngine declared(Attributes manifest, String id, String summary, Path jar, String place) {
        @Nullable String options = manifest.getValue(OPTIONS);
        String name = String.valueOf(jar.getFileName());
        return new DeclaredEngine(
                id,
                summary,
                name,
                place + "/" + name,
                Optional.ofNullable(manifest.getValue(Attributes.Name.IMPLEMENTATION_VERSION)),
                Optional.ofNullable(manifest.getValue(SpiVersion.ATTRIBUTE)).map(String::strip),
                options == null || options.isBlank()
                        ? List.of()
                        : List.of(options.strip().split("\\s*,\\s*", -1)));
    }

    private static List<Path> entries(Path directory, String glob) throws IOException {
        List<Path> entries = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory, glob)) {
            stream.forEach(entries::add);
        }
        Collections.sort(entries);
        return entries;
    }
}
