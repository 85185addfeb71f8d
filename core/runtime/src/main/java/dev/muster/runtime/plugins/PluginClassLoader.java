package dev.muster.runtime.plugins;

import java.net.URL;
import java.net.URLClassLoader;

/** Loads one plugin. Of Muster it sees the SPI and nothing else, so that its libraries are its own affair. */
final class PluginClassLoader extends URLClassLoader {

    private static final String SPI = "dev.muster.spi.";

    PluginClassLoader(String name, URL[] jars) {
        super(name, jars, new SpiOnly());
    }

    private static final class SpiOnly extends ClassLoader {

        SpiOnly() {
            super(ClassLoader.getPlatformClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (name.startsWith(SPI)) {
                return Class.forName(name, false, PluginClassLoader.class.getClassLoader());
            }
            throw new ClassNotFoundException(name);
        }
    }
}
