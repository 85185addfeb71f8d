package dev.muster.engine.mpi;

import dev.muster.spi.Value;
import java.util.ArrayList;
import java.util.List;

/** A text put together from parts that are known now and parts that are known later. */
final class TextWithValues {

    private final List<Value> parts = new ArrayList<>();
    private final StringBuilder known = new StringBuilder();

    TextWithValues add(String text) {
        known.append(text);
        return this;
    }

    TextWithValues add(Value value) {
        if (value instanceof Value.Literal literal) {
            return add(literal.text());
        }
        endKnown();
        parts.add(value);
        return this;
    }

    /** A line of texts and values. */
    TextWithValues line(Object... words) {
        for (Object word : words) {
            if (word instanceof Value value) {
                add(value);
            } else {
                add(word.toString());
            }
        }
        return add("\n");
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
