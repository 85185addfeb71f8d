package dev.muster.testkit;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/** What a jar declares, before it is one: in the directory of classes that becomes it. */
final class JarManifest {

    private JarManifest() {}

    /** That of the jar, or of the directory, that a class is in. */
    static Attributes of(Class<?> type) throws IOException {
        String home = type.getProtectionDomain().getCodeSource().getLocation().toString();
        String place = (home.endsWith("/") ? home : "jar:" + home + "!/") + JarFile.MANIFEST_NAME;
        try (InputStream file = new URL(place).openStream()) {
            return new Manifest(file).getMainAttributes();
        } catch (FileNotFoundException missing) {
            throw Rule.IDENTITY.broken(place, "there is no manifest", "add it to the resources of the jar", missing);
        }
    }
}
