package dev.muster;

import dev.muster.runtime.app.Main;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;

/** The first class of the jar. It runs on any Java since 8, so that it can report a Java that is too old. */
public final class Start {
    private static final int OLDEST = 17;
    private static final int UNAVAILABLE = 69;

    /** The property with the name of the JVM's file of class data. The digits in the name identify its jar. */
    private static final String CLASS_DATA = "muster.classdata";

    /** The end of the class path: a jar with only this class, in case that the first jar was cut off. */
    private static final String SECOND = ":start.jar";

    private Start() {}

    /**
     * Starts the launcher.
     *
     * @param args the command line
     */
    public static void main(String[] args) {
        String version = System.getProperty("java.specification.version");
        if (version.startsWith("1.") || Integer.parseInt(version) < OLDEST) {
            refuse("needs Java " + OLDEST + " or newer; this is Java " + version + " ("
                    + System.getProperty("java.home") + "). Install openjdk-17-jre-headless or set JAVA_HOME");
        }
        String path = System.getProperty("java.class.path");
        File jar = new File(path.endsWith(SECOND) ? path.substring(0, path.length() - SECOND.length()) : path);
        try {
            start(jar, args);
        } catch (NoClassDefFoundError | ClassNotFoundException cutOff) {
            String state = jar.exists()
                    ? jar.getAbsolutePath() + " is damaged: there is no launcher in it"
                    : jar.getAbsoluteFile().getParent() + " lacks " + jar.getName();
            refuse(state + ". Install the package again");
        } catch (IOException | ReflectiveOperationException unreadable) {
            refuse(jar.getAbsolutePath() + " cannot be read (" + unreadable + "). Install the package again");
        }
    }

    private static void start(File jar, String[] args) throws IOException, ReflectiveOperationException {
        String classData = System.clearProperty(CLASS_DATA);
        if (classData == null || classData.contains("-" + JarContent.of(jar) + ".")) {
            Main.main(args);
        } else {
            startFrom(jar, args);
        }
    }

    /**
     * Starts with class data of another jar. A JVM does not always notice that; even this class may be from the other jar. A new class
     * loader loads all classes from the jar.
     */
    private static void startFrom(File jar, String[] args) throws IOException, ReflectiveOperationException {
        URL[] places = {jar.toURI().toURL()};
        ClassLoader loader =
                new URLClassLoader(places, ClassLoader.getSystemClassLoader().getParent());
        Thread.currentThread().setContextClassLoader(loader);
        Class.forName(Start.class.getName(), true, loader)
                .getMethod("main", String[].class)
                .invoke(null, (Object) args);
    }

    private static void refuse(String why) {
        System.err.println("muster: exit 69: " + why);
        System.exit(UNAVAILABLE);
    }
}
