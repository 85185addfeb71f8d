package dev.muster.runtime.plugins;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.Set;

/** Loads the classes of one plugin. A plugin sees only the SPI of Muster, so that it can bring its own libraries. */
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
            // In a package with its own Java, Muster is a module, and the JDK's class loader shows its classes to all.
            if (OURS.contains(name.substring(0, Math.max(0, name.lastIndexOf('.'))))) {
                throw new ClassNotFoundException(name);
            }
            return super.loadClass(name, resolve);
        }
    }
}
