package dev.muster.engine.tensorflow;

import dev.muster.spi.PlanException;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The JSON of a {@code TF_CONFIG}, piece by piece; what has another form is refused with its place. */
final class ConfigText {

    private static final String CLUSTER = "cluster";
    private static final String TASK = "task";
    private static final String ROLES = "chief, master, worker, ps, evaluator";
    private static final String CORRECT = ". Correct it, or give --platform none where nobody else belongs to this job";

    private final Map<String, Object> content;

    ConfigText(Map<String, Object> content) {
        this.content = content;
    }

    static PlanException wrong(String problem) {
        return PlanException.configuration(TfConfig.VARIABLE + ", " + problem + CORRECT);
    }

    /** The list of a role is an array, or an object by index where not all are known. */
    boolean isByIndex(Role role) throws PlanException {
        return object(CLUSTER).get(role.word()) instanceof Map<?, ?>;
    }

    Cluster cluster() throws PlanException {
        Map<Role, AddressList> byRole = new EnumMap<>(Role.class);
        for (Map.Entry<?, ?> list : object(CLUSTER).entrySet()) {
            Optional<Role> role = Role.of(list.getKey().toString());
            if (role.isEmpty()) {
                throw wrong("/" + CLUSTER + ": " + Messages.quote(list.getKey().toString())
                        + " is no role of TensorFlow (" + ROLES + ")");
            }
            byRole.put(role.get(), addresses(role.get(), list.getValue()));
        }
        return new Cluster(byRole);
    }

    /** The process that the text is for. */
    Member task() throws PlanException {
        Map<?, ?> task = object(TASK);
        Object type = task.get("type");
        Object index = task.get("index");
        Optional<Role> role = type instanceof String word ? Role.of(word) : Optional.empty();
        if (role.isEmpty()) {
            throw wrong("/task/type is " + shown(type) + ", not one of " + ROLES);
        }
        if (!(index instanceof Long number) || number < 0 || number >= GivenConfig.MOST_MEMBERS) {
            throw wrong("/task/index is " + shown(index) + ", not a whole number 0.." + (GivenConfig.MOST_MEMBERS - 1));
        }
        return new Member(role.get(), number.intValue());
    }

    private static AddressList addresses(Role role, Object list) throws PlanException {
        String pointer = "/" + CLUSTER + "/" + role.word();
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
        if (!key.matches("0|[1-9][0-9]{0,3}") || Integer.parseInt(key) >= GivenConfig.MOST_MEMBERS) {
            throw wrong(pointer + ": " + Messages.quote(key) + " is no index 0.." + (GivenConfig.MOST_MEMBERS - 1));
        }
        return Integer.parseInt(key);
    }

    private static Endpoint endpoint(String pointer, Object entry) throws PlanException {
        Optional<Endpoint> endpoint = entry instanceof String text ? AddressList.endpoint(text) : Optional.empty();
        if (endpoint.isEmpty()) {
            throw wrong(pointer + ": " + shown(entry) + " is no host:port. " + AddressList.FORM);
        }
        return endpoint.get();
    }

    private Map<?, ?> object(String key) throws PlanException {
        Object value = content.get(key);
        if (value instanceof Map<?, ?> object) {
            return object;
        }
        throw wrong("/" + key + " is " + shown(value) + ", not an object");
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
}
