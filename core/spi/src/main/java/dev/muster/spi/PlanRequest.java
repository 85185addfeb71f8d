package dev.muster.spi;

import java.util.Map;
import java.util.Optional;

/**
 * All data that a plan is made from.
 *
 * @param inputs the values of the inputs that exist, by the input's id; parsed, if the input has a parser
 * @since 0.1
 */
@Stability(stable = true)
public record PlanRequest(JobSpec job, Node node, Map<String, InputValue> inputs) {

    public PlanRequest {
        inputs = Map.copyOf(inputs);
    }

    /** The value of an input, if it exists and has this type. */
    public <T extends InputValue> Optional<T> input(String id, Class<T> type) {
        return Optional.ofNullable(inputs.get(id)).filter(type::isInstance).map(type::cast);
    }
}
