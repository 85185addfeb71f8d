package dev.muster.runtime.plugins;

import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Checks a plugin's answer on the plugin's own thread. Later uses of the answer then run no code of the plugin, and find no null. */
public final class AnswerCheck {

    private static final ClassLoader SPI = dev.muster.spi.Engine.class.getClassLoader();

    private AnswerCheck() {}

    /**
     * Returns the answer, after the check.
     *
     * @throws IllegalArgumentException when something in it is null, or of a class of the plugin
     */
    public static <T> T of(T answer) {
        check(answer, "its answer");
        return answer;
    }

    /** @param where it stands, for messages */
    private static void check(@Nullable Object value, String where) {
        if (value == null) {
            throw new IllegalArgumentException(where + " is null");
        }
        if (value instanceof Input.Parser || value instanceof InputValue) {
            // A parser may be of the engine's own class, and JSON has null.
            return;
        }
        requireKnown(value.getClass(), where);
        if (value instanceof Record part) {
            checkParts(part);
        } else if (value instanceof Optional<?> maybe) {
            maybe.ifPresent(held -> check(held, where));
        } else if (value instanceof Collection<?> all) {
            all.forEach(each -> check(each, where));
        } else if (value instanceof Map<?, ?> map) {
            map.forEach((key, held) -> {
                check(key, where);
                check(held, where);
            });
        }
    }

    private static void requireKnown(Class<?> type, String where) {
        ClassLoader loader = type.getClassLoader();
        if (loader != null && !SPI.equals(loader)) {
            throw new IllegalArgumentException(
                    where + " is of the class " + type.getName() + ", which is none of the JDK or the SPI");
        }
    }

    private static void checkParts(Record whole) {
        String name = whole.getClass().getSimpleName();
        for (RecordComponent part : whole.getClass().getRecordComponents()) {
            if (part.getType().isPrimitive()) {
                continue;
            }
            try {
                check(part.getAccessor().invoke(whole), "its " + name + "." + part.getName());
            } catch (IllegalAccessException | InvocationTargetException impossible) {
                throw new IllegalArgumentException("its " + name + " cannot be read", impossible);
            }
        }
    }
}
