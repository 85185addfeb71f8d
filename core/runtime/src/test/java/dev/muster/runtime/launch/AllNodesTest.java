package dev.muster.runtime.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.CardChoice;
import dev.muster.spi.Host;
import dev.muster.spi.Node;
import dev.muster.spi.NodeInfo;
import dev.muster.spi.OptionValue;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class AllNodesTest {

    private static final List<String> ROLES = List.of("ps", "worker");
    private static final Map<String, List<Host>> BY_ROLE = Map.of("ps", hosts("p"), "worker", hosts("v", "w"));

    @Test
    void everyNodeSeesItselfAtItsPlaceInTheList() {
        List<Node> nodes = new AllNodes(here(Optional.empty(), Map.of()), "--hosts").withoutRoles(hosts("a", "b"));

        assertThat(nodes).extracting(Node::index).containsExactly(OptionalInt.of(0), OptionalInt.of(1));
        assertThat(nodes)
                .extracting(Node::name)
                .containsExactly(
                        Optional.of(new OptionValue("a", "--hosts")), Optional.of(new OptionValue("b", "--hosts")));
        assertThat(nodes).allMatch(node -> node.count().equals(OptionalInt.of(2)));
        assertThat(nodes).allMatch(node -> node.machine().addresses().isEmpty());
    }

    @Test
    void anOnlyNodeStaysAsItIs() {
        Node here = here(Optional.empty(), Map.of());

        assertThat(new AllNodes(here, "--hosts").withoutRoles(hosts("a"))).containsExactly(here);
        assertThat(new AllNodes(here, "--hosts").withoutRoles(List.of())).containsExactly(here);
    }

    @Test
    void containersOfAllRolesAreCountedWithinTheirRole() {
        List<Node> nodes = new AllNodes(here(Optional.of("ps"), BY_ROLE), "platform x").withRoles(ROLES);

        assertThat(nodes)
                .extracting(
                        node -> node.role().orElseThrow() + "-" + node.index().orElseThrow() + " on "
                                + node.name().orElseThrow().value())
                .containsExactly("ps-0 on p", "worker-0 on v", "worker-1 on w");
        assertThat(nodes).allMatch(node -> node.count().equals(OptionalInt.of(3)));
    }

    @Test
    void rolesCountWhereTheEngineAndThePlatformKnowThem() {
        assertThat(AllNodes.hasRoles(here(Optional.of("worker"), BY_ROLE), ROLES))
                .isTrue();
        assertThat(AllNodes.hasRoles(here(Optional.of("worker"), BY_ROLE), List.of()))
                .isFalse();
        assertThat(AllNodes.hasRoles(here(Optional.of("learner"), BY_ROLE), ROLES))
                .isFalse();
        assertThat(AllNodes.hasRoles(here(Optional.empty(), BY_ROLE), ROLES)).isFalse();
        assertThat(AllNodes.hasRoles(here(Optional.of("worker"), Map.of("worker", hosts("v"))), ROLES))
                .isFalse();
    }

    private static List<Host> hosts(String... names) {
        return List.of(names).stream()
                .map(name -> Host.of(name, Optional.empty()))
                .toList();
    }

    private static Node here(Optional<String> role, Map<String, List<Host>> hostsByRole) {
        return new Node(
                OptionalInt.empty(),
                OptionalInt.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                role,
                hostsByRole,
                CardChoice.NONE,
                new NodeInfo("box", List.of("10.1.1.1"), 1000, Optional.empty(), 4));
    }
}
