package dev.muster.runtime.platform;

import dev.muster.runtime.config.Hosts;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.errors.MusterException;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How many nodes there are and which one this is, where anybody says so. Without a word of platform or options both stay
 * unknown: one node would be a guess, and a wrong one on the servers of a cluster without a platform.
 */
record NodePosition(Optional<Setting> count, Optional<Setting> index) {

    static NodePosition decide(DetectedPlatform platform, Settings settings) {
        Optional<Setting> count = givenCount(settings);
        if (count.isEmpty()) {
            count = platform.value(OptionTable.NODES.name())
                    .filter(said -> platform.elastic().isEmpty())
                    .map(said -> SiteReader.ofPlatform(OptionTable.NODES, said));
        }
        Optional<Setting> index = settings.given(OptionTable.NODE_INDEX);
        if (index.isEmpty() && !(number(count).orElse(0) == 1 && count.get().source() != Setting.Source.PLATFORM)) {
            index = platform.value(OptionTable.NODE_INDEX.name())
                    .map(said -> SiteReader.ofPlatform(OptionTable.NODE_INDEX, said));
        }
        if (index.isEmpty() && number(count).orElse(0) == 1) {
            index = Optional.of(new Setting(
                    OptionTable.NODE_INDEX.name(),
                    "0",
                    count.get().origin(),
                    count.get().source()));
        }
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
        return Optional.of(new Setting(
                OptionTable.NODES.name(),
                Integer.toString(length),
                hosts.get().origin(),
                hosts.get().source()));
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
        if (count.isEmpty()) {
            checkWithoutCount(index.get());
            return;
        }
        Setting nodes = count.get();
        Setting wrong = index.get();
        Setting.Source source = nodes.source().compareTo(wrong.source()) < 0 ? nodes.source() : wrong.source();
        throw new MusterException(
                source.exitCode(),
                wrong.origin() + "=" + wrong.value() + ", but " + saidOf(nodes) + ": the indices of the nodes are 0.."
                        + (number(count).getAsInt() - 1) + ". Correct one of them");
    }

    /** {@code --hosts} says the number by the length of its list. */
    private static String saidOf(Setting nodes) {
        boolean isByNames = nodes.origin().equals(OptionTable.HOSTS.flag())
                || OptionTable.HOSTS.variable().equals(Optional.of(nodes.origin()));
        return isByNames ? nodes.origin() + " names " + nodes.value() : nodes.origin() + "=" + nodes.value();
    }

    private static void checkWithoutCount(Setting index) {
        if (index.source() != Setting.Source.PLATFORM) {
            throw Settings.refusal(index, "says nothing without " + OptionTable.NODES.flag() + ", the number of nodes");
        }
    }

    private static OptionalInt number(Optional<Setting> setting) {
        return setting.isPresent()
                ? OptionalInt.of(Integer.parseInt(setting.get().value()))
                : OptionalInt.empty();
    }
}
