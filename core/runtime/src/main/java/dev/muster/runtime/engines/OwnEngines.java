package dev.muster.runtime.engines;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The engines of the launcher's own jar. The comments of its service file tell of them, so that no class is loaded to list them;
 * what else lies on the class path may be without.
 */
final class OwnEngines {

    private static final String CLASS_PATH = "class path";
    private static final String ENTRY = "!/";

    private final ClassLoader loader;
    private final PluginWatch watch;

    OwnEngines(ClassLoader loader, PluginWatch watch) {
        this.loader = loader;
        this.watch = watch;
    }

    void addTo(Findings findings) {
        try {
            for (URL file : Collections.list(loader.getResources(ServiceFile.NAME))) {
                add(file, findings);
            }
        } catch (IOException unreadable) {
            findings.addBroken(CLASS_PATH, unreadable.toString());
        }
    }

    private void add(URL file, Findings findings) {
        String jar = jar(file);
        try {
            URLConnection connection = file.openConnection();
            connection.setUseCaches(false);
            try (InputStream content = connection.getInputStream()) {
                for (ServiceFile.Provider provider : ServiceFile.read(content)) {
                    findings.add(candidate(provider, jar));
                }
            }
        } catch (IOException unreadable) {
            findings.addBroken(jar, String.valueOf(unreadable.getMessage()));
        }
    }

    private Candidate candidate(ServiceFile.Provider provider, String name) {
        PluginJar jar = new PluginJar(
                Path.of(name),
                name,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                List.of(provider));
        return provider.card().isPresent()
                ? Candidate.own(jar, declared(provider.card().get(), name), loader)
                : Candidate.stranger(jar, name, () -> loader, watch, List.of());
    }

    static DeclaredEngine declared(NameCard card, String jar) {
        Optional<String> version =
                Optional.ofNullable(OwnEngines.class.getPackage().getImplementationVersion());
        return new DeclaredEngine(
                card.id(), card.summary(), jar, jar, version, Optional.of(SpiVersion.ours()), List.of());
    }

    /** The file name of the jar, or of the directory, that has this file. */
    private static String jar(URL file) {
        String place = file.toString();
        int end = place.indexOf(ENTRY);
        String home = end < 0
                ? place.substring(0, place.length() - ServiceFile.NAME.length())
                : place.substring(place.indexOf(':') + 1, end);
        try {
            return String.valueOf(Path.of(new URI(home)).getFileName());
        } catch (URISyntaxException | IllegalArgumentException noFile) {
            return home;
        }
    }
}
