package dev.muster.runtime.platform;

import dev.muster.runtime.config.Hosts;
import dev.muster.runtime.config.Option;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.config.WholeNumber;
import dev.muster.runtime.errors.MusterException;
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

/**
 * The number of nodes and this node's index, if the platform or an option tells them. Otherwise both stay unknown: one node would be a
 * wrong guess on the servers of a cluster without a platform.
 */
record NodePosition(Optional<Setting> count, Optional<Setting> index) {

    static NodePosition decide(DetectedPlatform platform, Settings settings) {
        Optional<Setting> count = givenCount(settings)
                .or(() -> platform.value(OptionTable.NODES.name())
                        .filter(said -> platform.elastic().isEmpty())
                        .map(said -> JobResolver.ofPlatform(OptionTable.NODES, said)));
        Optional<Setting> first = count.filter(nodes -> Integer.parseInt(nodes.value()) == 1)
                .map(one -> one.alsoSaying(OptionTable.NODE_INDEX, 0));
        Optional<Setting> index = settings.given(OptionTable.NODE_INDEX)
                .or(() -> first.filter(zero -> zero.source() != Setting.Source.PLATFORM))
                .or(() -> platform.value(OptionTable.NODE_INDEX.name())
                        .map(said -> JobResolver.ofPlatform(OptionTable.NODE_INDEX, said)))
                .or(() -> first);
        check(count, index);
        return new NodePosition(count, index);
    }

    /** {@code --nodes}, or how many {@code --hosts} there are. */
    private static Optional<Setting> givenCount(Settings settings) {
        Optional<Setting> count = settings.given(OptionTable.NODES);
        Optional<Setting> hosts = settings.given(OptionTable.HOSTS);
        if (hosts.isEmpty()) {
            return count;
        }
        int length = Hosts.parse(hosts.get().value()).size();
        if (count.isPresent() && Integer.parseInt(count.get().value()) != length) {
            throw Settings.refusal(
                    count.get(),
                    "does not agree with the " + length + " hosts of "
                            + hosts.get().origin());
        }
        return hosts.map(names -> names.alsoSaying(OptionTable.NODES, length));
    }

    OptionalInt countNumber() {
        return number(count);
    }

    OptionalInt indexNumber() {
        return number(index);
    }

    private static void check(Optional<Setting> count, Optional<Setting> index) {
        count.filter(many -> Integer.parseInt(many.value()) > OptionTable.MOST_NODES)
                .ifPresent(many -> {
                    throw Settings.refusal(many, "is more than the " + OptionTable.MOST_NODES + " nodes of a job");
                });
        if (index.isEmpty() || number(index).getAsInt() < number(count).orElse(1)) {
            return;
        }
        Setting wrong = index.get();
        if (count.isEmpty() && wrong.source() == Setting.Source.PLATFORM) {
            return;
        }
        Setting nodes = count.orElseThrow(() ->
                Settings.refusal(wrong, "says nothing without " + OptionTable.NODES.flag() + ", the number of nodes"));
        Setting.Source source = nodes.source().compareTo(wrong.source()) < 0 ? nodes.source() : wrong.source();
        throw new MusterException(
                source.exitCode(),
                wrong.origin() + "=" + wrong.value() + ", but " + shown(nodes)
                        + ": the indices of the nodes are 0.." + (Integer.parseInt(nodes.value()) - 1)
                        + ". Correct one of them");
    }

    /** {@code --hosts} says the number by the length of its list. */
    private static String shown(Setting nodes) {
        boolean isByNames = nodes.origin().equals(OptionTable.HOSTS.flag())
                || OptionTable.HOSTS.variable().equals(Optional.of(nodes.origin()));
        return isByNames ? nodes.origin() + " names " + nodes.value() : nodes.origin() + "=" + nodes.value();
    }

    private static OptionalInt number(Optional<Setting> setting) {
        return setting.stream().mapToInt(said -> Integer.parseInt(said.value())).findFirst();
    }

    /** The node after a refusal, with all that is known of it. That may be enough to tell the other launchers. */
    static Node ofRefused(DetectedPlatform platform, Settings settings, NodeInfo machine) {
        PlatformInfo info = platform.info();
        List<Host> hosts = settings.given(OptionTable.HOSTS)
                .map(given -> EvidenceReader.hosts(Hosts.parse(given.value())))
                .orElse(info.hosts());
        OptionalInt count = hosts.isEmpty() ? number(OptionTable.NODES, info, settings) : OptionalInt.of(hosts.size());
        IntStream byNumber =
                number(OptionTable.NODE_INDEX, info, settings).stream().filter(own -> own < count.orElse(0));
        // If several hosts have addresses of this machine, only the given index decides.
        int[] own = places(hosts, info, machine).toArray();
        return new Node(
                IntStream.concat(own.length == 1 ? IntStream.of(own) : IntStream.empty(), byNumber)
                        .findFirst(),
                count,
                platform.elastic(),
                info.nodeName(),
                info.address(),
                hosts,
                info.role(),
                info.hostsByRole(),
                CardChoice.NONE,
                machine);
    }

    private static OptionalInt number(Option option, PlatformInfo info, Settings settings) {
        return settings.given(option)
                .map(Setting::value)
                .or(() -> Optional.ofNullable(info.options().get(option.name())).map(OptionValue::value))
                .map(text -> WholeNumber.parse(text, 0, OptionTable.MOST_NODES))
                .orElse(OptionalInt.empty());
    }

    /** The indices at which this node may stand among these hosts. */
    private static IntStream places(List<Host> hosts, PlatformInfo info, NodeInfo machine) {
        String own = NumberedName.label(info.nodeName().map(OptionValue::value).orElse(machine.hostName()));
        return IntStream.range(0, hosts.size())
                .filter(index -> NumberedName.label(hosts.get(index).name()).equals(own)
                        || machine.addresses().contains(hosts.get(index).name()));
    }
}
