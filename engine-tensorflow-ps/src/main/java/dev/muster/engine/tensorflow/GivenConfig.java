package dev.muster.engine.tensorflow;

import dev.muster.spi.Host;
import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import dev.muster.spi.JobSpec;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlanRequest;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The {@code TF_CONFIG} of a platform that gives each role containers of its own and tells them so: Kubeflow's TFJob and
 * Volcano's tensorflow plugin. The evaluator may be in its cluster or not. What has another form is refused with its place.
 *
 * @param cluster the processes that it names
 * @param own the one of this container; an evaluator need not be in the cluster
 * @param isWhole whether it names all processes of the job. Where workers may come and go (Kubeflow's {@code
 *     enableDynamicWorker}), each sees only itself and the ps, and a ps sees no worker
 */
record GivenConfig(Cluster cluster, Member own, boolean isWhole) implements InputValue {

    /** More nodes than that no launcher counts. */
    private static final int MOST_MEMBERS = 4096;

    private static final String INPUT = "tf-config";
    private static final String CLUSTER = "cluster";
    private static final String ROLES = "chief, master, worker, ps, evaluator";

    /** What the runtime must read first. */
    static List<Input> inputs(JobSpec job) {
        return isFollowed(job)
                ? List.of(new Input.JsonText(
                        INPUT,
                        job.variable(TfConfig.VARIABLE).orElseThrow().value(),
                        TfConfig.VARIABLE,
                        GivenConfig::read))
                : List.of();
    }

    /** Whether the variable is the platform's word, and no option is stronger. */
    static boolean isFollowed(JobSpec job) {
        return job.platform().variables().contains(TfConfig.VARIABLE)
                && job.variable(TfConfig.VARIABLE).isPresent()
                && job.option(Options.PS_HOSTS).isEmpty()
                && job.option(Options.WORKER_HOSTS).isEmpty();
    }

    /** What the platform says; empty where it says nothing, or where the lists of options are stronger. */
    static Optional<GivenConfig> of(PlanRequest request) {
        return request.input(INPUT, GivenConfig.class);
    }

    private static GivenConfig read(InputValue.Json json) throws PlanException {
        Map<?, ?> lists = object(json.content(), CLUSTER);
        Map<Role, AddressList> byRole = new EnumMap<>(Role.class);
        for (Map.Entry<?, ?> list : lists.entrySet()) {
            String word = list.getKey().toString();
            Role role = Role.of(word)
                    .orElseThrow(() -> wrong(
                            "/" + CLUSTER + ": " + Messages.quote(word) + " is no role of TensorFlow (" + ROLES + ")"));
            byRole.put(role, addresses("/" + CLUSTER + "/" + word, list.getValue()));
        }
        // The list of a role is an array, or an object by index where not all are known.
        boolean isWhole = !(lists.get(Role.WORKER.word()) instanceof Map);
        GivenConfig config = new GivenConfig(new Cluster(byRole), task(json.content()), isWhole);
        config.check();
        return config;
    }

    private static Member task(Map<String, Object> content) throws PlanException {
        Map<?, ?> task = object(content, "task");
        Object type = task.get("type");
        Object index = task.get("index");
        Role role = Optional.ofNullable(type)
                .filter(String.class::isInstance)
                .flatMap(word -> Role.of(word.toString()))
                .orElseThrow(() -> wrong("/task/type is " + shown(type) + ", not one of " + ROLES));
        if (!(index instanceof Long number) || number < 0 || number >= MOST_MEMBERS) {
            throw wrong("/task/index is " + shown(index) + ", not a whole number 0.." + (MOST_MEMBERS - 1));
        }
        return new Member(role, number.intValue());
    }

    private static AddressList addresses(String pointer, @Nullable Object list) throws PlanException {
        SortedMap<Integer, Endpoint> byIndex = new TreeMap<>();
        if (list instanceof Map<?, ?> object) {
            for (Map.Entry<?, ?> entry : object.entrySet()) {
                byIndex.put(index(pointer, entry.getKey().toString()), endpoint(pointer, entry.getValue()));
            }
        } else if (list instanceof Collection<?> array) {
            for (Object entry : array) {
                byIndex.put(byIndex.size(), endpoint(pointer + "/" + byIndex.size(), entry));
            }
        } else {
            throw wrong(pointer + " is " + shown(list) + ", not a list of addresses");
        }
        return new AddressList(byIndex, TfConfig.VARIABLE);
    }

    private static int index(String pointer, String key) throws PlanException {
        if (!key.matches("0|[1-9][0-9]{0,3}") || Integer.parseInt(key) >= MOST_MEMBERS) {
            throw wrong(pointer + ": " + Messages.quote(key) + " is no index 0.." + (MOST_MEMBERS - 1));
        }
        return Integer.parseInt(key);
    }

    private static Endpoint endpoint(String pointer, @Nullable Object entry) throws PlanException {
        return Optional.ofNullable(entry)
                .filter(String.class::isInstance)
                .flatMap(text -> AddressList.endpoint(text.toString()))
                .orElseThrow(() -> wrong(pointer + ": " + shown(entry) + " is no host:port. " + AddressList.FORM));
    }

    private static Map<?, ?> object(Map<String, Object> content, String key) throws PlanException {
        if (content.get(key) instanceof Map<?, ?> object) {
            return object;
        }
        throw wrong("/" + key + " is " + shown(content.get(key)) + ", not an object");
    }

    private static String shown(@Nullable Object value) {
        if (value == null) {
            return "null or missing";
        }
        if (value instanceof Map<?, ?>) {
            return "an object";
        }
        return value instanceof Collection<?> ? "a list" : Messages.quote(value.toString());
    }

    private static PlanException wrong(String problem) {
        return PlanException.configuration(TfConfig.VARIABLE + ", " + problem
                + ". Correct it, or give --platform none where nobody else belongs to this job");
    }

    /** Each container has a TF_CONFIG of its own, so what the others would do cannot be planned here. */
    @Override
    public List<Host> hosts() {
        return List.of(new Host(own.id(), Optional.empty()));
    }

    private void check() throws PlanException {
        if (cluster.members().size() > MOST_MEMBERS) {
            throw wrong(
                    "/cluster has " + cluster.members().size() + " members; at most " + MOST_MEMBERS + " are possible");
        }
        boolean isBeside =
                own.role() == Role.EVALUATOR && cluster.list(Role.EVALUATOR).isEmpty();
        if (!cluster.has(own) && !isBeside) {
            throw wrong("/task says that this is " + own.role().word() + " " + own.index()
                    + ", which is not in /cluster: it has " + Messages.counts(cluster));
        }
        int chiefs = cluster.list(Role.CHIEF).size() + cluster.list(Role.MASTER).size();
        if (chiefs > 1) {
            throw wrong("/cluster has " + chiefs + " chiefs or masters; there can be one");
        }
        if (isWhole && chiefs == 0 && cluster.workers().isEmpty()) {
            throw wrong("/cluster has " + Messages.counts(cluster)
                    + ", but no chief and no worker: nobody would train, or end the job");
        }
        cluster.checked();
    }

    /** A chief decides; ps are a matter of TensorFlow 1, unless there is a chief. */
    Strategy kind() {
        if (cluster.chief().isPresent()) {
            return Strategy.CHIEF;
        }
        return cluster.ps().isEmpty() ? Strategy.WORKERS : Strategy.PS_ENV;
    }

    /** How many containers the job has, as far as is known here; where that is not all, there is at least another one. */
    int containers() {
        int known = cluster.members().size() + (cluster.has(own) ? 0 : 1);
        return isWhole ? known : Math.max(2, known);
    }
}
