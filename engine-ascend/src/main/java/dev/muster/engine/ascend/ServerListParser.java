package dev.muster.engine.ascend;

import dev.muster.spi.InputValue;
import dev.muster.spi.Note;
import dev.muster.spi.PlanException;
import dev.muster.spi.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Tables with {@code server_list}: template 1 (version 1.0) and superpods (version 1.2). Servers have devices with ranks. */
final class ServerListParser {

    private final InputValue.Json source;
    private final JsonView table;
    private final CardRules rules = new CardRules();
    private final Unique serverIds = new Unique("server_id", "");
    private final List<TableNode> servers = new ArrayList<>();
    private final List<Note> warnings = new ArrayList<>();

    ServerListParser(InputValue.Json source) {
        this.source = source;
        this.table = JsonView.of(source);
    }

    RankTable read() throws PlanException {
        RankTableFormat format = format();
        List<JsonView> listed = table.list("server_list");
        table.requireCount("server_count", listed.size(), "servers");
        for (JsonView server : listed) {
            readServer(server, format);
        }
        rules.requireAllRanks(table.child("server_list"));
        if (format == RankTableFormat.SUPERPOD) {
            readSuperPods();
        } else {
            rules.requireAddressesBetweenServers();
        }
        TableNode.sortByRank(servers);
        return new RankTable(source, format, servers, normalised(), warnings);
    }

    private RankTableFormat format() throws PlanException {
        Optional<String> version = table.optionalText("version");
        if (version.isEmpty()) {
            warnings.add(Note.warning("rank table " + source.path()
                    + " has no \"version\": HCCL will not read it; add \"version\": \"1.0\" (or \"1.2\")"));
            return table.has("super_pod_list") ? RankTableFormat.SUPERPOD : RankTableFormat.TEMPLATE_ONE;
        }
        return switch (version.get()) {
            case "1.0" -> RankTableFormat.TEMPLATE_ONE;
            case "1.2" -> RankTableFormat.SUPERPOD;
            default ->
                throw table.child("version")
                        .refusal(
                                "version " + Messages.quote(version.get()) + " is unknown for a table with server_list",
                                "Known are \"1.0\" and \"1.2\"");
        };
    }

    private void readServer(JsonView server, RankTableFormat format) throws PlanException {
        String id = server.text("server_id");
        serverIds.add(id, server);
        List<Integer> ranks = new ArrayList<>();
        List<Integer> cards = new ArrayList<>();
        for (JsonView device : server.list("device")) {
            cards.add(rules.card(id, device).number());
            ranks.add(rules.rank(device));
        }
        servers.add(new TableNode(format.nodeWord, id, addresses(server, id), ranks, cards));
    }

    /** The addresses of a server. The id may be an address, or any name; some writers add the addresses of host and container. */
    private static List<String> addresses(JsonView server, String id) throws PlanException {
        return List.of(
                id,
                server.optionalText("host_ip").orElse(""),
                server.optionalText("container_ip").orElse(""));
    }

    private void readSuperPods() throws PlanException {
        List<JsonView> superPods = table.list("super_pod_list");
        Unique ids = new Unique("super_pod_id", "");
        Unique members = new Unique("server_id", " in super_pod_list");
        for (JsonView superPod : superPods) {
            ids.add(superPod.text("super_pod_id"), superPod);
            for (JsonView server : superPod.list("server_list")) {
                String id = server.text("server_id");
                if (!serverIds.has(id)) {
                    throw server.child("server_id").refusal("server " + Messages.quote(id) + " is not in server_list");
                }
                members.add(id, server);
            }
        }
        if (members.size() < serverIds.size()) {
            throw table.child("super_pod_list")
                    .refusal(members.size() + " servers are in superpods, but server_list has " + serverIds.size());
        }
        if (superPods.size() > 1) {
            rules.requireAddresses("the job has several superpods");
        }
    }

    /** In these versions HCCL reads texts only. If the table has numbers, the ranks get a copy with every number as a text. */
    private Optional<Value> normalised() {
        if (!hasNumbers(source.content())) {
            return Optional.empty();
        }
        warnings.add(Note.warning("rank table " + source.path()
                + " has numbers where HCCL wants texts: the ranks get a copy with texts"));
        return Optional.of(Value.of(JsonText.withNumbersAsTexts(source.content())));
    }

    private static boolean hasNumbers(@Nullable Object value) {
        if (value instanceof Map<?, ?> object) {
            return object.values().stream().anyMatch(ServerListParser::hasNumbers);
        }
        return value instanceof List<?> array
                ? array.stream().anyMatch(ServerListParser::hasNumbers)
                : value instanceof Number;
    }
}
