package dev.muster.spi;

import java.util.Map;
import java.util.Optional;

/**
 * All that a plan is made from.
 *
 * @param inputs one value for each input that the engine asked for, by the input's id
 * @since 0.1
 */
public record PlanRequest(JobSpec job, Node node, Map<String, InputValue> inputs) {

    public PlanRequest {
        inputs = Map.copyOf(inputs);
    }

    /** The value of an input, if it was asked for and is of this type (not absent). */
    public <T extends InputValue> Optional<T> input(String id, Class<T> type) {
        return Optional.ofNullable(inputs.get(id)).filter(type::isInstance).map(type::cast);
    }
}
