package dev.muster.runtime.engines;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.Engine;
import dev.muster.spi.EngineDescriptor;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/** Collects engines, and what should have been one: whatever is wrong with a jar, it never hides the others. */
final class Findings {

    /** A loader that fails more often than this in a row does not move on any more. */
    private static final int MOST_FAILURES = 100;

    private final List<LoadedEngine> engines = new ArrayList<>();
    private final List<BrokenEngine> broken = new ArrayList<>();

    List<LoadedEngine> engines() {
        return engines;
    }

    List<BrokenEngine> broken() {
        return broken;
    }

    void addBroken(String place, String reason) {
        broken.add(new BrokenEngine(place, Printable.escape(reason), false));
    }

    void addRefused(String place, String reason) {
        broken.add(new BrokenEngine(place, Printable.escape(reason), true));
    }

    /**
     * Adds all that a loader finds. Looking for the next provider, loading its class and making the object can each fail, and
     * the iteration goes on after that.
     *
     * @return whether there was anything, broken or not
     */
    boolean addAll(ServiceLoader<Engine> loader, String place) {
        Iterator<Engine> iterator = loader.iterator();
        int before = engines.size() + broken.size();
        int failures = 0;
        while (failures < MOST_FAILURES) {
            try {
                if (!iterator.hasNext()) {
                    break;
                }
                add(iterator.next(), place);
                failures = 0;
            } catch (ServiceConfigurationError | LinkageError error) {
                addBroken(place, reason(error));
                failures++;
            }
        }
        return engines.size() + broken.size() > before;
    }

    private void add(Engine engine, String place) {
        try {
            EngineDescriptor descriptor = engine.descriptor();
            engines.add(new LoadedEngine(engine, descriptor, OptionTable.with(descriptor)));
        } catch (RuntimeException | LinkageError error) {
            Optional<String> mismatch = SpiVersion.mismatch(engine.getClass(), error);
            if (mismatch.isPresent()) {
                addBroken(place, mismatch.get());
            } else {
                addBroken(
                        place + ", " + JarName.of(engine.getClass()),
                        engine.getClass().getName() + ": " + reason(error));
            }
        }
    }

    /** Service errors name the provider; what really happened is most often in the cause. */
    private static String reason(Throwable error) {
        Throwable cause = error.getCause();
        String reason = error instanceof ServiceConfigurationError ? String.valueOf(error.getMessage()) : text(error);
        return cause == null ? reason : reason + " (" + text(cause) + ")";
    }

    private static String text(Throwable error) {
        String name = error.getClass().getSimpleName();
        return error.getMessage() == null ? name : name + ": " + error.getMessage();
    }
}
