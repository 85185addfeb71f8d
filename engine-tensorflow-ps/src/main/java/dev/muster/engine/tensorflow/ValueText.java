package dev.muster.engine.tensorflow;

import dev.muster.spi.Value;
import java.util.ArrayList;
import java.util.List;

/** A text put together from parts that are known now and parts that are known when the run starts. */
final class ValueText {

    private final List<Value> parts = new ArrayList<>();
    private final StringBuilder known = new StringBuilder();

    ValueText add(String text) {
        known.append(text);
        return this;
    }

    ValueText add(Value value) {
        if (value instanceof Value.Literal literal) {
            known.append(literal.text());
        } else if (value instanceof Value.Joined joined) {
            joined.parts().forEach(this::add);
        } else {
            endKnown();
            parts.add(value);
        }
        return this;
    }

    /** A literal where every part is known now. */
    Value value() {
        if (parts.isEmpty()) {
            return Value.of(known.toString());
        }
        endKnown();
        return new Value.Joined(parts);
    }

    private void endKnown() {
        if (!known.isEmpty()) {
            parts.add(Value.of(known.toString()));
            known.setLength(0);
        }
    }
}
