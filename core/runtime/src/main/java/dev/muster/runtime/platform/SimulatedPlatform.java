package dev.muster.runtime.platform;

import dev.muster.runtime.config.Option;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.process.RunMarker;
import dev.muster.spi.Platform;
import dev.muster.spi.SimulatedCluster;
import dev.muster.spi.SimulatedCluster.SimulatedNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What a platform would give a container, for a simulated node whose file system is a directory. */
public final class SimulatedPlatform {

    /** The built-in platforms that can be simulated. */
    private static final List<String> NAMES = List.of("modelarts", "none");

    private SimulatedPlatform() {}

    /** The platforms that can be simulated. For a platform of a plugin, only the plugin itself knows. */
    public static List<String> names(PlatformCatalog platforms) {
        Stream<String> ofPlugins = platforms.platforms().stream()
                .filter(PluginPlatform.class::isInstance)
                .map(Platform::name);
        return Stream.concat(NAMES.stream(), ofPlugins).toList();
    }

    /**
     * Whether a variable of the caller must not reach a simulated node's launcher. It describes another platform or another job, or is an
     * option for the simulation.
     */
    public static boolean hides(String variable, PlatformCatalog platforms) {
        boolean isOption = variable.startsWith(OptionTable.VARIABLE_PREFIX) && !variable.equals(RunMarker.VARIABLE);
        return isOption || Sign.mayDescribeJob(variable, platforms.platforms());
    }

    /**
     * What the cluster's platform gives to one node.
     *
     * @throws MusterException for a platform of a plugin that cannot be simulated
     */
    public static SimulatedEnvironment environment(
            SimulatedCluster cluster, SimulatedNode node, PlatformCatalog platforms) {
        if (cluster.platform().equals("modelarts")) {
            return modelArts(cluster, node);
        }
        SimulatedEnvironment bare = none(cluster, node);
        if (cluster.platform().equals("none")) {
            return bare;
        }
        SortedMap<String, String> variables = answers(cluster, node, platforms);
        for (Option option : List.of(OptionTable.HOSTS, OptionTable.WORKDIR, OptionTable.LOG_DIR, OptionTable.JOB_ID)) {
            String name = option.variable().orElseThrow();
            variables.put(name, String.valueOf(bare.variables().get(name)));
        }
        return new SimulatedEnvironment(variables, bare.directories(), bare.logDirectory(), bare.hostNames());
    }

    private static SortedMap<String, String> answers(
            SimulatedCluster cluster, SimulatedNode node, PlatformCatalog platforms) {
        SortedMap<String, String> told = new TreeMap<>();
        for (Platform platform : platforms.platforms()) {
            if (platform.name().equals(cluster.platform())) {
                told.putAll(platform.simulation(cluster, node));
            }
        }
        if (told.isEmpty()) {
            throw MusterException.usage("platform " + cluster.platform()
                    + " cannot be simulated: its plugin gives simulated nodes no variables");
        }
        return told;
    }

    private static SimulatedEnvironment modelArts(SimulatedCluster cluster, SimulatedNode node) {
        String home = node.directory() + "/home/ma-user";
        String mount = home + "/modelarts";
        SortedMap<String, String> variables = new TreeMap<>();
        variables.put("MA_HOME", home);
        variables.put(ModelArts.MOUNT_PATH, mount);
        variables.put("MA_JOB_DIR", mount + "/user-job-dir");
        variables.put("MA_LOG_DIR", mount + "/log");
        variables.put(ModelArts.NUM_CARDS, Integer.toString(cluster.cards()));
        variables.put(ModelArts.ROLE, role(node));
        variables.putAll(hostVariables(cluster, node));
        VolcanoTasks.INDICES.forEach(name -> variables.put(name, Integer.toString(node.index())));
        variables.put(ModelArts.INSTANCE, node.name());
        variables.put("MA_CURRENT_IP", node.address());
        variables.put(ModelArts.HOST_IP, node.address());
        variables.put(ModelArts.JOB, volcanoJob(cluster));
        return new SimulatedEnvironment(
                variables,
                List.of(home, mount, mount + "/log", mount + "/user-job-dir"),
                mount + "/log",
                podNames(cluster, node));
    }

    private static SimulatedEnvironment none(SimulatedCluster cluster, SimulatedNode node) {
        String work = node.directory() + "/work";
        String log = node.directory() + "/muster-logs";
        SortedMap<String, String> variables = new TreeMap<>();
        put(variables, OptionTable.PLATFORM, cluster.platform());
        put(variables, OptionTable.NODES, Integer.toString(cluster.nodes().size()));
        put(variables, OptionTable.NODE_INDEX, Integer.toString(node.index()));
        List<String> hosts =
                cluster.nodes().stream().map(SimulatedNode::address).toList();
        put(variables, OptionTable.HOSTS, String.join(",", hosts));
        if (cluster.cards() > 0) {
            put(variables, OptionTable.CARDS, Integer.toString(cluster.cards()));
        }
        put(variables, OptionTable.JOB_ID, cluster.jobId());
        put(variables, OptionTable.WORKDIR, work);
        put(variables, OptionTable.LOG_DIR, log);
        return new SimulatedEnvironment(variables, List.of(work, log), log, List.of(node.name()));
    }

    private static void put(SortedMap<String, String> variables, Option option, String value) {
        variables.put(option.variable().orElseThrow(), value);
    }

    /** The scheduler's name of a job whose ranks shall see the cluster's job id. */
    private static String volcanoJob(SimulatedCluster cluster) {
        String translated = "modelarts-job";
        return cluster.jobId().startsWith(translated)
                ? "ma-job" + cluster.jobId().substring(translated.length())
                : cluster.jobId();
    }

    /** The pod's names: ModelArts' own, and Volcano's from the job's name; each alone and in the job's domain. */
    private static List<String> podNames(SimulatedCluster cluster, SimulatedNode node) {
        String job = volcanoJob(cluster);
        String pod = job + "-" + role(node) + "-" + node.index();
        return List.of(node.name(), node.name() + "." + job, pod, pod + "." + job);
    }

    /** The hosts by role, and the number of nodes with this node's role. The domain of pods is the job's headless service. */
    private static Map<String, String> hostVariables(SimulatedCluster cluster, SimulatedNode own) {
        Map<String, List<String>> hosts = new TreeMap<>();
        for (SimulatedNode node : cluster.nodes()) {
            hosts.computeIfAbsent(role(node), role -> new ArrayList<>()).add(node.name() + "." + volcanoJob(cluster));
        }
        Map<String, String> variables = new TreeMap<>();
        hosts.forEach((role, names) -> {
            variables.put(VolcanoTasks.variable(role, VolcanoTasks.HOSTS), String.join(",", names));
            variables.put(VolcanoTasks.variable(role, VolcanoTasks.NUMBER), Integer.toString(names.size()));
        });
        int same = Objects.requireNonNull(hosts.get(role(own))).size();
        variables.put(ModelArts.NUM_HOSTS, Integer.toString(same));
        return variables;
    }

    private static String role(SimulatedNode node) {
        return node.role().orElse(PlatformReader.WORKER);
    }
}
