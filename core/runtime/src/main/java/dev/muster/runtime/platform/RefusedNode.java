package dev.muster.runtime.platform;

import dev.muster.runtime.config.Hosts;
import dev.muster.runtime.config.Option;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.config.WholeNumber;
import dev.muster.spi.CardChoice;
import dev.muster.spi.Host;
import dev.muster.spi.Node;
import dev.muster.spi.NodeInfo;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlatformInfo;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/** A node whose platform refuses something, as far as the rest tells which it is: enough to tell the others. */
record RefusedNode(DetectedPlatform platform, Settings settings, NodeInfo machine) {

    Node node() {
        PlatformInfo info = platform.info();
        List<Host> hosts = settings.given(OptionTable.HOSTS)
                .map(given -> EvidenceReader.hosts(Hosts.parse(given.value())))
                .orElse(info.hosts());
        Optional<Integer> count = hosts.isEmpty() ? number(OptionTable.NODES) : Optional.of(hosts.size());
        Optional<Integer> index =
                place(hosts).or(() -> number(OptionTable.NODE_INDEX).filter(own -> own < count.orElse(0)));
        return new Node(
                optional(index),
                optional(count),
                platform.elastic(),
                info.nodeName(),
                info.address(),
                hosts,
                info.role(),
                info.hostsByRole(),
                CardChoice.NONE,
                machine);
    }

    private static OptionalInt optional(Optional<Integer> number) {
        return number.map(OptionalInt::of).orElse(OptionalInt.empty());
    }

    private Optional<Integer> number(Option option) {
        return settings.given(option)
                .map(Setting::value)
                .or(() -> Optional.ofNullable(platform.info().options().get(option.name()))
                        .map(OptionValue::value))
                .filter(text ->
                        WholeNumber.parse(text, 0, OptionTable.MOST_NODES).isPresent())
                .map(Integer::valueOf);
    }

    private Optional<Integer> place(List<Host> hosts) {
        String own = platform.info().nodeName().map(OptionValue::value).orElse(machine.hostName());
        return IntStream.range(0, hosts.size())
                .filter(index -> NumberedName.label(hosts.get(index).name()).equals(NumberedName.label(own))
                        || machine.addresses().contains(hosts.get(index).name()))
                .boxed()
                .findFirst();
    }
}
