package dev.muster.runtime.platform;

import java.util.List;
import java.util.function.Function;

/**
 * A platform that can be recognised.
 *
 * @param name for {@code --platform}
 * @param title what people call it
 * @param variables all that it reads, as {@code NAME}, {@code PREFIX*} or {@code *SUFFIX}; a simulation hides them
 * @param reader what it tells here
 */
record KnownPlatform(String name, String title, List<String> variables, Function<Evidence, PlatformReader> reader) {

    KnownPlatform {
        variables = List.copyOf(variables);
    }
}
