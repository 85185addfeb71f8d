package dev.muster.testkit;

import dev.muster.spi.CardChoice;
import dev.muster.spi.EngineOption;
import dev.muster.spi.Host;
import dev.muster.spi.Node;
import dev.muster.spi.NodeInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * An unusual request: facts, variables, options or a command that differ from the usual ones.
 *
 * @param name for messages
 * @param isComplete whether a job can run with it, so that engines must not refuse it
 * @param node changes the facts about a node
 * @param environment variables in addition to those of the simulation
 * @param options of the engine, in addition to those of the test
 * @param command of the user; empty: the usual one
 * @param flags what else is unusual
 */
record World(
        String name,
        boolean isComplete,
        UnaryOperator<Node> node,
        Map<String, String> environment,
        Map<String, String> options,
        List<String> command,
        Set<Flag> flags) {

    static final String SECRET_NAME = "CONFORMANCE_API_TOKEN";
    static final String SECRET = "cf-7f3a9e51d0c24b86";

    static final World USUAL = ofNodes("the usual world", true, each -> each);

    /** What may be unusual. */
    enum Flag {
        /** Nothing can run, so a plan may be empty. */
        NO_CARDS,
        /** The user gives only --node-index 0: the kit does not check the plans of several such nodes. */
        NO_COUNT,
        OWN_IDS,
        THIRD_ATTEMPT,
        SHARED_DIRECTORY
    }

    private static final List<String> TEXTS =
            List.of("", " ", "x", "-1", "99999999999999999999", "a b=c", "it's \"$HOME\"", "\u00e4\u20ac\n", "0", "::");

    private static final List<List<String>> COMMANDS = List.of(
            List.of("true"),
            List.of("/opt/my tools/train", "a b", "", "--", "-x", "$HOME", "`id`"),
            List.of("python3", "train.py", "it's", "\"quoted\"", "back\\slash", "%s %d", "*", "a=b", "two\nlines"),
            List.of("python3", "-m", "pkg.train", "--name=\u00e4\u20ac", "--rank", "0", "--hostfile", "--engine"));

    /** The value of an option whose name says that it holds a secret. */
    private static final String OPTION_SECRET = "cf-0p710n-5ec3e7";

    /** Values that an engine must not show. */
    static final Set<String> SECRETS = Set.of(SECRET, OPTION_SECRET);

    private static final Pattern SECRET_PATTERN = Pattern.compile("(?i)token|password|secret|credential|api[-_]key");

    World named(String other) {
        return new World(other, isComplete, node, environment, options, command, flags);
    }

    private static World ofNodes(String name, boolean isComplete, UnaryOperator<Node> change, Flag... flags) {
        return new World(name, isComplete, change, Map.of(), Map.of(), List.of(), Set.of(flags));
    }

    private static World refusable(String name, UnaryOperator<Node> change) {
        return ofNodes(name, false, change);
    }

    private static World with(Flag flag) {
        boolean isComplete = flag == Flag.THIRD_ATTEMPT || flag == Flag.SHARED_DIRECTORY;
        UnaryOperator<Node> change = switch (flag) {
            case NO_CARDS -> each -> node(each, cards(List.of()));
            case NO_COUNT -> World::withoutCount;
            default -> USUAL.node;
        };
        return ofNodes("a world with " + flag, isComplete, change, flag);
    }

    static final World THIRD_ATTEMPT = with(Flag.THIRD_ATTEMPT);

    private static World ofCommand(List<String> command) {
        return new World("the command " + command, true, USUAL.node, Map.of(), Map.of(), command, Set.of());
    }

    private static World with(String name, Map<String, String> environment, Map<String, String> options) {
        return new World(name, false, USUAL.node, environment, options, List.of(), Set.of());
    }

    /** Worlds with unusual commands. Each word of the command must stay unchanged. */
    static List<World> commands() {
        return COMMANDS.stream().map(World::ofCommand).toList();
    }

    /** Worlds with missing or unusual facts about the nodes. */
    static List<World> incomplete() {
        List<World> worlds = new ArrayList<>(ofNodes());
        for (Flag flag : Flag.values()) {
            worlds.add(with(flag));
        }
        return worlds;
    }

    private static List<World> ofNodes() {
        return List.of(
                refusable("a world without node indices", node -> node(node, OptionalInt.empty(), node.hosts())),
                refusable("a world without hosts", node -> node(node, node.index(), List.of())),
                refusable("a world with addresses only", node -> node(node, node.index(), addresses(node))),
                refusable("a world with names only", node -> node(node, node.index(), names(node))),
                refusable("a world without cards", node -> node(node, CardChoice.NONE)),
                refusable("a world with the cards 5 and 3", node -> node(node, cards(List.of(5, 3)))),
                refusable("a world with poor machines", World::poor),
                ofNodes("a world without a role", true, node -> role(node, Optional.empty())),
                refusable("a world with the role Odd:Role", node -> role(node, Optional.of("Odd:Role"))));
    }

    /** Worlds with unexpected values of variables that the engine may read. */
    static List<World> environments(Set<String> variables) {
        List<World> worlds = new ArrayList<>();
        for (String variable : variables) {
            for (String value : SECRET_PATTERN.matcher(variable).find() ? List.of("", SECRET) : TEXTS) {
                worlds.add(with("the variable " + variable + "=\"" + value + "\"", Map.of(variable, value), Map.of()));
            }
        }
        return worlds;
    }

    static World ofOption(EngineOption option, String value) {
        return with("--" + option.name() + " \"" + value + "\"", Map.of(), Map.of(option.name(), value));
    }

    /** Extreme values of an option that the runtime still accepts. */
    static List<String> bounds(EngineOption option) {
        return switch (option.kind()) {
            case TEXT -> SECRET_PATTERN.matcher(option.name()).find() ? List.of("", OPTION_SECRET) : TEXTS;
            case PATH -> List.of("/", "/no where/\u00e4", "/virtual/x", "/virtual/\u20ac:x,y;z");
            case COUNT -> List.of("1", "2", "70000");
            case DURATION -> List.of("0", "0s", "1ms", "1m", "8760h");
            case SWITCH -> List.of("true", "false");
            case CHOICE -> option.choices();
        };
    }

    private static Node node(Node node, OptionalInt index, List<Host> hosts) {
        return node(node, index, hosts, node.role(), node.cards(), node.machine());
    }

    private static List<Host> addresses(Node node) {
        return node.hosts().stream()
                .map(host -> Host.of(host.address().orElseThrow(), host.address()))
                .toList();
    }

    private static List<Host> names(Node node) {
        return node.hosts().stream()
                .map(host -> Host.of(host.name(), Optional.empty()))
                .toList();
    }

    private static CardChoice cards(List<Integer> ids) {
        return new CardChoice(OptionalInt.of(ids.size()), ids, "--card-ids", true, List.of());
    }

    private static Node node(Node node, CardChoice cards) {
        return node(node, node.index(), node.hosts(), node.role(), cards, node.machine());
    }

    private static Node role(Node node, Optional<String> role) {
        return node(node, node.index(), node.hosts(), role, node.cards(), node.machine());
    }

    private static Node poor(Node node) {
        NodeInfo machine = new NodeInfo("localhost", List.of(), 0, Optional.empty(), 1);
        return node(node, node.index(), node.hosts(), node.role(), node.cards(), machine);
    }

    private static Node withoutCount(Node node) {
        return new Node(
                OptionalInt.of(0),
                OptionalInt.empty(),
                node.elastic(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                node.role(),
                Map.of(),
                node.cards(),
                node.machine());
    }

    /** A changed node. With other hosts it has no name of its own; with another role, all containers have that role. */
    private static Node node(
            Node node, OptionalInt index, List<Host> hosts, Optional<String> role, CardChoice cards, NodeInfo machine) {
        boolean isUsual = hosts.equals(node.hosts());
        boolean isOdd = role.isPresent() && !role.equals(node.role());
        return new Node(
                index,
                node.count(),
                node.elastic(),
                isUsual ? node.name() : Optional.empty(),
                isUsual ? node.address() : Optional.empty(),
                hosts,
                role,
                isOdd ? Map.of("odd:role", hosts) : node.hostsByRole(),
                cards,
                machine);
    }
}
