package dev.muster.engine.ascend;

import dev.muster.spi.NodeInfo;
import java.util.List;

/** The addresses that tell a machine from others. */
final class MachineAddresses {

    private static final List<String> LOOPBACK = List.of("::1", "0:0:0:0:0:0:0:1");

    private MachineAddresses() {}

    /** The machine's addresses in their order, without those that every machine has. */
    static List<String> withoutLoopback(NodeInfo machine) {
        return machine.addresses().stream()
                .filter(address -> !address.startsWith("127.") && !LOOPBACK.contains(address))
                .toList();
    }
}
