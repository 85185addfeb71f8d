package dev.muster.testkit;

import dev.muster.spi.Engine;
import java.util.ServiceLoader;

/** Finds the engine under test as the runtime does. */
public final class Engines {

    private Engines() {}

    /** The engine of this id. */
    public static Engine named(String id) {
        return ServiceLoader.load(Engine.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(engine -> engine.descriptor().id().equals(id))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no engine is called " + id + "; is it in META-INF/services?"));
    }
}
