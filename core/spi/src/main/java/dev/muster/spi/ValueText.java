package dev.muster.spi;

import java.util.ArrayList;
import java.util.List;

/**
 * Builds a text from parts that are known now and parts that are known later.
 *
 * @since 0.1
 */
@Stability(stable = true)
public final class ValueText {

    private final List<Value> parts = new ArrayList<>();
    private final StringBuilder known = new StringBuilder();

    /** Appends a text that is known now. */
    public ValueText add(String text) {
        known.append(text);
        return this;
    }

    /** Appends a value; its known parts become one literal with the text around them. */
    public ValueText add(Value value) {
        for (Value leaf : value.leaves()) {
            leaf.known().ifPresentOrElse(known::append, () -> {
                endKnown();
                parts.add(leaf);
            });
        }
        return this;
    }

    /** Appends a line of texts, numbers and values. */
    public ValueText line(Object... words) {
        for (Object word : words) {
            if (word instanceof Value value) {
                add(value);
            } else {
                add(word.toString());
            }
        }
        return add("\n");
    }

    /** The text: a literal if every part is known now. */
    public Value value() {
        if (parts.isEmpty()) {
            return Value.of(known.toString());
        }
        endKnown();
        return parts.size() == 1 ? parts.get(0) : Value.joined(parts);
    }

    private void endKnown() {
        if (!known.isEmpty()) {
            parts.add(Value.of(known.toString()));
            known.setLength(0);
        }
    }
}
