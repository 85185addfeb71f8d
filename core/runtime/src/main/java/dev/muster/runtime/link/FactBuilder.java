package dev.muster.runtime.link;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Writes a fact, field by field; leaves out what is empty. */
final class FactBuilder {

    /** The field that says what a fact is. */
    static final String IS = "is";

    private final Map<String, Object> content = new LinkedHashMap<>();

    static FactBuilder is(String what) {
        return new FactBuilder().with(IS, what);
    }

    FactBuilder with(String field, String text) {
        content.put(field, Fields.cut(text));
        return this;
    }

    FactBuilder with(String field, Optional<String> text) {
        text.ifPresent(known -> with(field, known));
        return this;
    }

    FactBuilder with(String field, long number) {
        content.put(field, number);
        return this;
    }

    FactBuilder with(String field, OptionalInt number) {
        number.ifPresent(known -> with(field, known));
        return this;
    }

    FactBuilder with(String field, OptionalLong number) {
        number.ifPresent(known -> with(field, known));
        return this;
    }

    FactBuilder with(String field, boolean flag) {
        content.put(field, flag);
        return this;
    }

    FactBuilder with(String field, FactBuilder object) {
        content.put(field, object.content);
        return this;
    }

    /** @param values JDK maps and texts */
    FactBuilder with(String field, List<?> values) {
        content.put(field, values);
        return this;
    }

    FactBuilder with(String field, Map<String, String> values) {
        content.put(field, values);
        return this;
    }

    Map<String, Object> content() {
        return content;
    }

    Fact build() {
        return new Fact(content);
    }
}
