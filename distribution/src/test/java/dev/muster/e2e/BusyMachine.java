package dev.muster.e2e;

import java.util.ArrayList;
import java.util.List;

/** Programs that do nothing but compute, twice as many as there are cores, until it is closed. */
final class BusyMachine implements AutoCloseable {

    private final List<Launched> spinners = new ArrayList<>();

    BusyMachine(Scene scene) {
        for (int spinner = 0; spinner < 2 * Runtime.getRuntime().availableProcessors(); spinner++) {
            spinners.add(scene.command("/bin/sh", "-c", "while :; do :; done").start());
        }
    }

    int spinners() {
        return spinners.size();
    }

    @Override
    public void close() {
        spinners.forEach(spinner -> spinner.signal("KILL").await());
    }
}
