package dev.muster.runtime.conditions;

import dev.muster.spi.Condition;

/** A condition as the rest of a sentence that starts with "when". */
final class Words implements Condition.Cases<String> {

    @Override
    public String immediately(Condition.Immediately immediately) {
        return "at once";
    }

    @Override
    public String portOpen(Condition.PortOpen port) {
        return Conditions.port(port.host(), port.port()) + " accepts connections";
    }

    @Override
    public String ready(Condition.Ready ready) {
        return Conditions.processes(ready.ids()) + (ready.ids().size() == 1 ? " is ready" : " are ready");
    }

    @Override
    public String exited(Condition.Exited exited) {
        return Conditions.processes(exited.ids()) + (exited.ids().size() == 1 ? " has ended" : " have ended");
    }
}
