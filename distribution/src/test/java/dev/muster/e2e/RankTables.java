package dev.muster.e2e;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Rank tables of all formats, as the platforms write them. */
final class RankTables {

    private RankTables() {}

    /** A card: its physical id and its address. */
    record Device(String id, String address) {}

    /**
     * The entry of one pod, or of one server.
     *
     * @param name of the pod; tables of servers do not have it
     */
    record Pod(String name, String server, List<Device> devices) {
        Pod {
            devices = List.copyOf(devices);
        }
    }

    /** @param devices an id and an address each, separated by a blank */
    static Pod pod(String name, String server, String... devices) {
        List<Device> list = new ArrayList<>();
        for (String device : devices) {
            int blank = device.indexOf(' ');
            list.add(new Device(device.substring(0, blank), device.substring(blank + 1)));
        }
        return new Pod(name, server, list);
    }

    static Pod server(String server, String... devices) {
        return pod("", server, devices);
    }

    /** Template 2: pods without rank ids, as the platform's controller writes it. */
    static String templateTwo(Pod... pods) {
        return templateTwo(count(List.of(pods)), pods);
    }

    static String templateTwo(int declaredDevices, Pod... pods) {
        String instances = joined(
                List.of(pods),
                pod -> "{\"pod_name\": \"" + pod.name() + "\", \"server_id\": \"" + pod.server() + "\", \"devices\": ["
                        + joined(pod.devices(), device -> "{" + idAndAddress(device) + "}") + "]}");
        return "{\"group_count\": \"1\", \"group_list\": [{\"group_name\": \"job-e2e\", \"device_count\": \""
                + declaredDevices
                + "\", \"instance_count\": \"" + pods.length + "\", \"instance_list\": [" + instances
                + "]}], \"status\": \"completed\"}\n";
    }

    /** Template 1: servers with ranks from 0 on. */
    static String templateOne(Pod... servers) {
        return "{\"status\": \"completed\", \"version\": \"1.0\", " + serverList("", servers) + "}\n";
    }

    /** Template 1 with one server of {@code cards} cards. */
    static String oneServer(int cards) {
        List<Device> devices = new ArrayList<>();
        for (int card = 0; card < cards; card++) {
            devices.add(new Device(Integer.toString(card), "10.0." + card / 250 + "." + (card % 250 + 1)));
        }
        return templateOne(new Pod("", "192.168.0.25", devices));
    }

    /** The same table while the platform still writes it. */
    static String initializing(String table) {
        return table.replace("\"status\": \"completed\"", "\"status\": \"initializing\"");
    }

    private static String serverList(String more, Pod... servers) {
        StringBuilder list = new StringBuilder();
        int rank = 0;
        for (Pod server : servers) {
            list.append(rank == 0 ? "" : ", ").append("{\"server_id\": \"").append(server.server());
            list.append("\", \"device\": [");
            String comma = "";
            for (Device device : server.devices()) {
                list.append(comma).append('{').append(more).append(idAndAddress(device));
                list.append(", \"rank_id\": \"").append(rank++).append("\"}");
                comma = ", ";
            }
            list.append("]}");
        }
        return "\"server_count\": \"" + servers.length + "\", \"server_list\": [" + list + "]";
    }

    private static String idAndAddress(Device device) {
        return "\"device_id\": \"" + device.id() + "\", \"device_ip\": \"" + device.address() + "\"";
    }

    private static int count(List<Pod> pods) {
        return pods.stream().mapToInt(pod -> pod.devices().size()).sum();
    }

    private static <T> String joined(List<T> elements, Function<T, String> text) {
        return String.join(", ", elements.stream().map(text).toList());
    }
}
