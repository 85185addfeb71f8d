package dev.muster.runtime.plugins;

import dev.muster.runtime.files.IoReasons;
import dev.muster.runtime.files.Trust;
import java.io.IOException;
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
import java.util.zip.ZipEntry;
import org.jspecify.annotations.Nullable;

/**
 * Finds the jars of third parties. One plugin is one directory with its jars, in the package's {@code plugins} or in a directory that the
 * user names.
 */
public final class PluginJars {

    private static final String OWN = "plugins";

    /** Attributes take many times their bytes in memory. */
    private static final int LONGEST_MANIFEST = 1 << 20;

    private final Optional<Path> directory;
    private final Optional<Path> named;
    private final List<PluginJar> found = new ArrayList<>();
    private final List<BrokenPlugin> broken = new ArrayList<>();
    private boolean isRead;

    /** Without a directory that the user names. */
    public PluginJars(Optional<Path> packageHome) {
        this(packageHome, Optional.empty());
    }

    /**
     * The directories are read when a caller first asks for jars.
     *
     * @param packageHome where the directory {@code plugins} may be
     * @param named a directory of the user's
     */
    public PluginJars(Optional<Path> packageHome, Optional<Path> named) {
        this.directory = packageHome.map(home -> home.resolve(OWN));
        this.named = named;
    }

    /** The jars that may be used, sorted by name. None of their classes is loaded. */
    public List<PluginJar> found() {
        read();
        return found;
    }

    public List<BrokenPlugin> broken() {
        read();
        return broken;
    }

    private void read() {
        if (!isRead) {
            isRead = true;
            directory.filter(Files::isDirectory).ifPresent(plugins -> find(plugins, OWN));
            if (named.isPresent() && !Files.isDirectory(named.get())) {
                addBroken(named.get().toString(), "there is no such directory");
            }
            named.filter(Files::isDirectory).ifPresent(plugins -> find(plugins, plugins.toString()));
        }
    }

    /** @param called what users call the directory */
    private void find(Path plugins, String called) {
        try {
            for (Path entry : entries(plugins, "*")) {
                String place = called + "/" + entry.getFileName();
                if (Files.isDirectory(entry)) {
                    add(plugins, entry, place);
                } else if (place.endsWith(".jar")) {
                    String home = place.substring(0, place.length() - ".jar".length());
                    addBroken(
                            place,
                            "a jar directly in " + called
                                    + "/ is not looked at; put it, with the libraries it brings, into a"
                                    + " directory of its own: " + home + "/");
                }
            }
        } catch (IOException unreadable) {
            addBroken(plugins.toString(), "cannot be read: " + IoReasons.of(unreadable));
        }
    }

    private void addBroken(String place, String reason) {
        broken.add(new BrokenPlugin(place, reason, false));
    }

    private void add(Path plugins, Path directory, String place) {
        try {
            List<Path> jars = entries(directory, "*.jar");
            Set<String> warnings = new LinkedHashSet<>();
            if (jars.isEmpty()) {
                addBroken(place, "there is no jar in this directory");
            } else if (areTrusted(plugins, directory, jars, warnings)) {
                add(jars, place, List.copyOf(warnings));
            }
        } catch (IOException unreadable) {
            String name = unreadable instanceof FileSystemException system
                    ? Path.of(system.getFile()).getFileName() + " "
                    : "";
            addBroken(place, name + "cannot be read: " + IoReasons.of(unreadable));
        }
    }

    /** A problem of a directory is reported once, not for each of its jars. */
    private boolean areTrusted(Path plugins, Path directory, List<Path> jars, Set<String> warnings) throws IOException {
        List<Path> all = new ArrayList<>(List.of(directory));
        all.addAll(jars);
        addWarnings(Trust.ofCode(plugins), warnings);
        for (Path path : all) {
            Trust.Judgement judgement = Trust.ofCode(path);
            if (judgement.refusal().isPresent()) {
                String reason = judgement.refusal().get().of(path) + "; refused";
                broken.add(new BrokenPlugin(path.toString(), reason, true));
                return false;
            }
            addWarnings(judgement, warnings);
        }
        return true;
    }

    private static void addWarnings(Trust.Judgement judgement, Set<String> warnings) {
        judgement.warnings().forEach(flaw -> warnings.add("plugins: " + flaw.sentence()));
    }

    /** One class loader for all jars of a plugin. It stays open: classes may be loaded at any time. */
    private void add(List<Path> jars, String place, List<String> warnings) throws IOException {
        URL[] urls = new URL[jars.size()];
        for (int index = 0; index < urls.length; index++) {
            urls[index] = jars.get(index).toUri().toURL();
        }
        PluginClassLoader loader = new PluginClassLoader(place, urls);
        boolean isUseful = false;
        for (Path jar : jars) {
            isUseful |= add(jar, place, loader, warnings);
        }
        if (!isUseful) {
            addBroken(
                    place,
                    "no jar in it declares what it brings: its manifest needs Muster-Engine or" + " Muster-Platform");
        }
    }

    /** Adds a jar. Returns whether it is more than a library. */
    private boolean add(Path jar, String place, PluginClassLoader loader, List<String> warnings) {
        String name = String.valueOf(jar.getFileName());
        try {
            PluginJar readable = new PluginJar(name, place, manifest(jar), loader, warnings);
            Optional<String> mismatch = SpiVersion.mismatch(readable);
            if (mismatch.isPresent()) {
                broken.add(readable.broken(mismatch.get()));
            } else if (readable.isDeclared()) {
                found.add(readable);
            }
            return readable.isDeclared();
        } catch (IOException unreadable) {
            addBroken(place, name + " cannot be read: " + IoReasons.of(unreadable));
            return true;
        }
    }

    private static Attributes manifest(Path jar) throws IOException {
        if (!Files.isRegularFile(jar)) {
            // Opening a pipe would block.
            throw new IOException("it is no regular file");
        }
        try (JarFile file = new JarFile(jar.toFile(), false)) {
            @Nullable ZipEntry entry = file.getEntry(JarFile.MANIFEST_NAME);
            if (entry != null && entry.getSize() > LONGEST_MANIFEST) {
                throw new IOException("its manifest has more than " + LONGEST_MANIFEST + " bytes");
            }
            return Optional.ofNullable(file.getManifest())
                    .map(Manifest::getMainAttributes)
                    .orElseGet(Attributes::new);
        }
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
