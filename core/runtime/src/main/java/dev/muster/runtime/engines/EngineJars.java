package dev.muster.runtime.engines;

import dev.muster.runtime.text.Printable;
import dev.muster.spi.Engine;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The engines that jars declare, and what is wrong with jars: a broken one never hides the others. Service files are read as text:
 * {@link java.util.ServiceLoader} would load and make all classes.
 */
final class EngineJars {

    /** Where a jar names the classes of its engines. */
    static final String SERVICES = "META-INF/services/" + Engine.class.getName();

    private static final String ENTRY = "!/";
    private static final int LONGEST = 1 << 16;

    /** What tells of an engine: in a manifest, and as comments of the launcher's own service file. */
    private static final Pattern CARD =
            Pattern.compile("\\s*(?<id>[a-z][a-z0-9]*+(?:-[a-z0-9]++)*+)\\s*;\\s*(?<summary>\\S.*)", Pattern.DOTALL);

    private final List<Candidate> candidates = new ArrayList<>();
    private final List<BrokenEngine> broken = new ArrayList<>();

    /** Those of jars that do not declare what they bring. */
    private final List<Candidate> silent = new ArrayList<>();

    List<Candidate> candidates() {
        return candidates;
    }

    List<BrokenEngine> broken() {
        return broken;
    }

    void add(Candidate candidate) {
        candidates.add(candidate);
    }

    /** A jar whose engines only its code knows. */
    void addSilent(Candidate candidate) {
        silent.add(candidate);
    }

    /** Runs code of the jars that do not declare what they bring, once. */
    void askTheSilent() {
        for (Candidate candidate : silent) {
            for (String type : candidate.classes()) {
                try {
                    candidates.add(candidate.asked(type));
                } catch (Misbehaviour failed) {
                    DeclaredEngine jar = candidate.declared();
                    String how = failed.how().startsWith(jar.jar()) ? failed.how() : jar.jar() + ": " + failed.how();
                    addBroken(jar.plugin(), how, failed.kind());
                }
            }
        }
        silent.clear();
    }

    void addBroken(String place, String reason, BrokenEngine.Kind kind) {
        broken.add(new BrokenEngine(Printable.escape(place), Printable.escape(reason), kind));
    }

    /** The parts {@code id} and {@code summary} of {@code ID; summary}. */
    static Optional<Matcher> card(String words) {
        return Optional.of(CARD.matcher(words)).filter(Matcher::matches);
    }

    /** The lines that name classes, with their comments. */
    static List<String> services(InputStream file) throws IOException {
        return new String(file.readNBytes(LONGEST), StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !type(line).isEmpty())
                .toList();
    }

    /** The class that a line names. */
    static String type(String line) {
        return line.split("#", 2)[0].strip();
    }

    /** Adds the engines of the launcher's own jar, whose service file says in comments what they are. */
    void addOwn(ClassLoader loader) {
        try {
            for (URL file : Collections.list(loader.getResources(SERVICES))) {
                URLConnection connection = file.openConnection();
                connection.setUseCaches(false);
                try (InputStream content = connection.getInputStream()) {
                    services(content).forEach(line -> addOwn(line, jar(file), loader));
                }
            }
        } catch (IOException unreadable) {
            addBroken("class path", unreadable.toString(), BrokenEngine.Kind.UNUSABLE);
        }
    }

    private void addOwn(String line, String jar, ClassLoader loader) {
        Optional<String> version =
                Optional.ofNullable(EngineJars.class.getPackage().getImplementationVersion());
        card(line.substring(line.indexOf('#') + 1)).ifPresent(card -> {
            DeclaredEngine declared = new DeclaredEngine(
                    card.group("id"),
                    card.group("summary").strip(),
                    jar,
                    jar,
                    version,
                    Optional.of(SpiVersion.ours()),
                    List.of());
            add(new Candidate(declared, List.of(type(line)), EngineCode.own(jar, loader), List.of()));
        });
    }

    /** The file name of the jar, or of the directory, that has this file. */
    private static String jar(URL file) {
        String place = file.toString();
        int end = place.indexOf(ENTRY);
        String home = end < 0
                ? place.substring(0, place.length() - SERVICES.length())
                : place.substring(place.indexOf(':') + 1, end);
        try {
            return String.valueOf(Path.of(new URI(home)).getFileName());
        } catch (URISyntaxException | IllegalArgumentException noFile) {
            return home;
        }
    }
}
