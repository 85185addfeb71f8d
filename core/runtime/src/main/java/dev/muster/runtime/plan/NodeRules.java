package dev.muster.runtime.plan;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.SafeName;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.RequiredPort;
import java.util.HashSet;
import java.util.Set;

/** How a plan calls its node, and the ports that it takes there. */
final class NodeRules {

    private final Problems problems;

    NodeRules(Problems problems) {
        this.problems = problems;
    }

    void check(LaunchPlan plan) {
        plan.name()
                .ifPresent(name -> problems.require(
                        SafeName.matches(name),
                        "the plan has the name " + Printable.quote(name)
                                + ", which becomes part of file names; allowed: " + SafeName.FORM));
        Set<Integer> taken = new HashSet<>();
        for (RequiredPort port : plan.ports()) {
            String what = "port " + port.port() + " for " + Printable.quote(port.purpose());
            problems.require(
                    port.port() >= 1 && port.port() <= OptionTable.HIGHEST_PORT,
                    what + " is none of 1.." + OptionTable.HIGHEST_PORT);
            problems.require(taken.add(port.port()), what + " is used for something else too");
            problems.require(!port.purpose().isBlank(), "port " + port.port() + " has no purpose");
        }
    }
}
