package dev.muster.spi;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The container or machine that this launcher runs on, and what is known of the others.
 *
 * @param index 0..count-1, where platform or options tell it
 * @param count how many nodes the job has, where platform or options tell it
 * @param name this node's name on the platform, for example the pod name
 * @param address the address under which the platform knows this node's host
 * @param hosts the hosts of all nodes in node order; empty when unknown
 * @param role the platform's word for what this node does, for example {@code worker}
 * @param hostsByRole where the platform gives each role containers of its own: the hosts of every role, in node order, by the
 *     role's name in lower case
 * @param cards the choice of accelerators on this node, where anybody made one
 * @param machine facts of the machine itself
 * @since 0.1
 */
@Stable
public record Node(
        OptionalInt index,
        OptionalInt count,
        Optional<OptionValue> name,
        Optional<OptionValue> address,
        List<Host> hosts,
        Optional<String> role,
        Map<String, List<Host>> hostsByRole,
        CardChoice cards,
        NodeInfo machine) {

    public Node {
        hosts = List.copyOf(hosts);
        hostsByRole = Map.copyOf(hostsByRole);
    }

    /** Index and count are both known. */
    public boolean knowsItsIndex() {
        return index.isPresent() && count.isPresent();
    }

    /** A node of which nothing is known but its machine, until the builder hears otherwise. */
    public static Builder builder(NodeInfo machine) {
        return new Builder(machine);
    }

    /** Puts a node together. */
    public static final class Builder {

        private final NodeInfo machine;
        private OptionalInt index = OptionalInt.empty();
        private OptionalInt count = OptionalInt.empty();
        private Optional<OptionValue> name = Optional.empty();
        private Optional<OptionValue> address = Optional.empty();
        private List<Host> hosts = List.of();
        private Optional<String> role = Optional.empty();
        private Map<String, List<Host>> hostsByRole = Map.of();
        private CardChoice cards = CardChoice.NONE;

        private Builder(NodeInfo machine) {
            this.machine = machine;
        }

        public Builder index(OptionalInt known) {
            index = known;
            return this;
        }

        public Builder count(OptionalInt known) {
            count = known;
            return this;
        }

        /** This node is the one with an index, of so many. */
        public Builder position(int ofThis, int ofAll) {
            return index(OptionalInt.of(ofThis)).count(OptionalInt.of(ofAll));
        }

        public Builder name(Optional<OptionValue> known) {
            name = known;
            return this;
        }

        public Builder address(Optional<OptionValue> known) {
            address = known;
            return this;
        }

        public Builder hosts(List<Host> inNodeOrder) {
            hosts = inNodeOrder;
            return this;
        }

        public Builder role(Optional<String> word) {
            role = word;
            return this;
        }

        public Builder hostsByRole(Map<String, List<Host>> inNodeOrder) {
            hostsByRole = inNodeOrder;
            return this;
        }

        public Builder cards(CardChoice choice) {
            cards = choice;
            return this;
        }

        public Node build() {
            return new Node(index, count, name, address, hosts, role, hostsByRole, cards, machine);
        }
    }
}
