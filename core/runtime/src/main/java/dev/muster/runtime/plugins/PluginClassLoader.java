package dev.muster.runtime.plugins;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.Set;

/** Loads one plugin. Of Muster it sees the SPI and nothing else, so that its libraries are its own affair. */
final class PluginClassLoader extends URLClassLoader {

    private static final String SPI = "dev.muster.spi.";
    private static final Set<String> OURS = PluginClassLoader.class.getModule().getPackages();

    PluginClassLoader(String name, URL[] jars) {
        super(name, jars, new SpiOnly());
    }

    private static final class SpiOnly extends ClassLoader {

        SpiOnly() {
            super(ClassLoader.getPlatformClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith(SPI)) {
                return Class.forName(name, false, PluginClassLoader.class.getClassLoader());
            }
            // With its own Java, Muster is a module, and the JDK's loader gives its classes to everybody.
            if (OURS.contains(name.substring(0, Math.max(0, name.lastIndexOf('.'))))) {
                throw new ClassNotFoundException(name);
            }
            return super.loadClass(name, resolve);
        }
    }
}
