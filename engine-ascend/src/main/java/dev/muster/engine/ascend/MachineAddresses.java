package dev.muster.engine.ascend;

import dev.muster.spi.NodeInfo;
import java.util.ArrayList;
import java.util.List;

/** The addresses that tell a machine from others. */
final class MachineAddresses {

    private MachineAddresses() {}

    /** The machine's addresses in their order, without those that every machine has. */
    static List<String> withoutLoopback(NodeInfo machine) {
        List<String> addresses = new ArrayList<>();
        for (String address : machine.addresses()) {
            if (!address.startsWith("127.") && !address.equals("::1") && !address.equals("0:0:0:0:0:0:0:1")) {
                addresses.add(address);
            }
        }
        return addresses;
    }
}
