package dev.muster.testkit;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/** The manifest of a jar, or of the directory of classes from which the jar will be built. */
final class JarManifest {

    private JarManifest() {}

    /** The manifest of the jar or directory that contains a class. */
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
