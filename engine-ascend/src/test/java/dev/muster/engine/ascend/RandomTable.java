package dev.muster.engine.ascend;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A random valid rank table of any format, made from a seed, and a job for each of its nodes. */
final class RandomTable {

    private final Random random;
    private final Map<String, Object> content;
    private final List<TestJob> jobs = new ArrayList<>();
    private final int nodes;
    private final int[] cardsOf;
    private final List<Integer> rankIds = new ArrayList<>();
    private final boolean numbers;

    RandomTable(long seed) {
        // Similar seeds give similar first numbers, so mix the bits.
        random = new Random(31 * seed ^ 0x5DEECE66DL << 16);
        int family = (int) (seed % 5);
        numbers = random.nextInt(4) == 0;
        nodes = 1 + random.nextInt(12);
        cardsOf = new int[nodes];
        int cards = 1 + random.nextInt(8);
        // Only a list of ranks without servers needs the same number of cards on each node.
        boolean equal = family == 3 || random.nextBoolean();
        for (int node = 0; node < nodes; node++) {
            cardsOf[node] = equal ? cards : 1 + random.nextInt(8);
        }
        for (int rank = 0; rank < total(); rank++) {
            rankIds.add(rank);
        }
        content = of(family);
        for (TestJob job : jobs) {
            job.table(TestJob.TABLE_PATH, content);
        }
    }

    private Map<String, Object> of(int family) {
        Map<String, Object> table = switch (family) {
            case 0 -> templateTwo();
            case 1 -> templateOne("1.0");
            case 2 -> templateOne("1.2");
            case 3 -> levelList();
            default -> lab();
        };
        table.put("status", "completed");
        return table;
    }

    /** The number of ranks of the whole job. */
    int total() {
        int total = 0;
        for (int cards : cardsOf) {
            total += cards;
        }
        return total;
    }

    /** One job for each node, with this table. */
    List<TestJob> jobs() {
        return jobs;
    }

    private Map<String, Object> templateTwo() {
        List<Object> instances = new ArrayList<>();
        // If two pods share a server, they have different cards.
        boolean shared = random.nextInt(3) == 0;
        for (int node = 0; node < nodes; node++) {
            String name = "job-" + (node + 5);
            String server = "10.0.0." + (shared ? node / 2 : node);
            List<Object> devices = shuffledDevices(node, shared && node % 2 == 1 ? 100 : 0);
            instances.add(TestJson.of("pod_name", name, "server_id", server, "devices", devices));
            jobs.add(new TestJob().onModelArts().pod(name));
        }
        int inFirst = 1 + random.nextInt(nodes);
        List<Object> groups = new ArrayList<>();
        groups.add(group(instances, 0, inFirst));
        if (inFirst < nodes) {
            groups.add(group(instances, inFirst, nodes));
        }
        return TestJson.of("group_count", scalar(groups.size()), "group_list", groups);
    }

    private Map<String, Object> group(List<Object> instances, int from, int to) {
        List<Object> own = new ArrayList<>(instances.subList(from, to));
        Collections.shuffle(own, random);
        int devices = 0;
        for (int node = from; node < to; node++) {
            devices += cardsOf[node];
        }
        return TestJson.of(
                "group_name",
                "g" + from,
                "device_count",
                scalar(devices),
                "instance_count",
                scalar(own.size()),
                "instance_list",
                own);
    }

    private Map<String, Object> templateOne(String version) {
        Collections.shuffle(rankIds, random);
        List<Object> servers = new ArrayList<>();
        List<Object> members = new ArrayList<>();
        int next = 0;
        for (int node = 0; node < nodes; node++) {
            List<Object> devices = new ArrayList<>();
            for (Object device : shuffledDevices(node, 0)) {
                devices.add(with(device, "rank_id", scalar(rankIds.get(next++))));
            }
            servers.add(TestJson.of("server_id", "node_" + node, "host_ip", "172.16.0." + node, "device", devices));
            members.add(TestJson.of("server_id", "node_" + node));
            jobs.add(new TestJob().onModelArts().hostAddress((random.nextBoolean() ? "172.16.0." : "node_") + node));
        }
        Collections.shuffle(servers, random);
        return TestJson.of(
                "version",
                version,
                "server_count",
                scalar(nodes),
                "server_list",
                servers,
                // Version 1.0 does not have this field. Readers ignore unknown fields.
                "super_pod_list",
                List.of(TestJson.of("super_pod_id", "0", "server_list", members)));
    }

    private Map<String, Object> levelList() {
        Collections.shuffle(rankIds, random);
        List<Object> ranks = new ArrayList<>();
        for (Integer rank : rankIds) {
            ranks.add(TestJson.of("rank_id", rank, "local_id", 0, "device_id", 0, "level_list", List.of()));
        }
        for (int node = 0; node < nodes; node++) {
            jobs.add(new TestJob().onModelArts().node(node, nodes));
        }
        return TestJson.of("version", "2.0", "rank_count", ranks.size(), "rank_list", ranks);
    }

    private Map<String, Object> lab() {
        Collections.shuffle(rankIds, random);
        List<Object> instances = new ArrayList<>();
        int next = 0;
        for (int node = 0; node < nodes; node++) {
            String server = "10.0.0." + node;
            for (Object device : shuffledDevices(node, 0)) {
                instances.add(TestJson.of(
                        "devices", List.of(device), "rank_id", scalar(rankIds.get(next++)), "server_id", server));
            }
            jobs.add(new TestJob().onModelArts().hostAddress(server));
        }
        Collections.shuffle(instances, random);
        Map<String, Object> group = TestJson.of(
                "device_num", scalar(instances.size()),
                "server_num", scalar(nodes),
                "instance_count", scalar(instances.size()),
                "instance_list", instances);
        return TestJson.of("deploy_mode", "lab", "group_count", "1", "group_list", List.of(group));
    }

    private List<Object> shuffledDevices(int node, int firstId) {
        List<Object> devices = new ArrayList<>();
        for (int card = 0; card < cardsOf[node]; card++) {
            String address = "192." + node + "." + firstId + "." + card;
            devices.add(TestJson.of("device_id", scalar(firstId + card), "device_ip", address));
        }
        Collections.shuffle(devices, random);
        return devices;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> with(Object object, String key, Object value) {
        Map<String, Object> map = (Map<String, Object>) object;
        map.put(key, value);
        return map;
    }

    /** A number as a JSON string, or in some tables as a JSON number. */
    private Object scalar(int number) {
        return numbers ? (Object) (long) number : Integer.toString(number);
    }
}
