package dev.muster.runtime.supervise;

import dev.muster.runtime.process.LiveProcess;
import dev.muster.runtime.process.ProcessTable;

/** Processes as they are seen, in the words of the event loop. */
final class Sightings {

    private Sightings() {}

    static Effects.Survivor survivor(LiveProcess process) {
        return new Effects.Survivor(
                process.pid(),
                process.parent(),
                process.group(),
                process.session(),
                process.name(),
                process.age(),
                process.program());
    }

    static Effects.Carrier carrier(ProcessTable.Carrier found) {
        LiveProcess process = found.process();
        return new Effects.Carrier(
                process.pid(), process.parent(), process.name(), found.isLed(), process.age(), process.program());
    }
}
