package dev.muster;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.inject.ScopeAnnotation;
import java.lang.annotation.Annotation;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the jar has in place of the JDK's, and of Guice's, does the same. */
class StandInsTest {

    private static final List<String> WORDS = List.of("b", "aa", "B", "A", "", "bb", "ab", "a", "aA");

    @ScopeAnnotation
    @Retention(RetentionPolicy.RUNTIME)
    @interface Scope {}

    @Retention(RetentionPolicy.RUNTIME)
    @interface NoScope {}

    @interface Forgotten {}

    @Test
    void ordersAreThoseOfTheJdk() {
        Function<String, Integer> length = String::length;
        Function<String, String> itself = word -> word;
        Comparator<String> plain = PlainOrder.thenComparing(
                PlainOrder.thenComparing(PlainOrder.comparing(length), itself, String.CASE_INSENSITIVE_ORDER), itself);
        Comparator<String> ofJdk = Comparator.comparing(length)
                .thenComparing(itself, String.CASE_INSENSITIVE_ORDER)
                .thenComparing(itself);

        assertThat(sorted(plain)).isEqualTo(sorted(ofJdk));
        assertThat(sorted(PlainOrder.comparing(length, Comparator.<Integer>reverseOrder())))
                .isEqualTo(sorted(Comparator.comparing(length, Comparator.<Integer>reverseOrder())));
        assertThat(sorted(
                        PlainOrder.thenComparing(Comparator.<String>reverseOrder(), Comparator.<String>naturalOrder())))
                .isEqualTo(sorted(Comparator.reverseOrder()));
    }

    private static List<String> sorted(Comparator<String> order) {
        List<String> words = new ArrayList<>(WORDS);
        words.sort(order);
        return words;
    }

    @Test
    void scopesAreThoseOfGuice() {
        List<Class<? extends Annotation>> scopes =
                List.of(Scope.class, com.google.inject.Singleton.class, jakarta.inject.Singleton.class);

        assertThat(scopes).allMatch(PlainScopes::isScopeAnnotation).allMatch(PlainScopes::isRetainedAtRuntime);
        assertThat(PlainScopes.isScopeAnnotation(NoScope.class)).isFalse();
        assertThat(PlainScopes.isRetainedAtRuntime(NoScope.class)).isTrue();
        assertThat(PlainScopes.isRetainedAtRuntime(Forgotten.class)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"dev.muster.stand-in", ""})
    void whatALibraryHasToSayIsLogged(String name) {
        List<String> said = new ArrayList<>();
        Logger real = Logger.getLogger(name);
        Handler handler = handler(said);
        // What is said here need not be read by whoever builds.
        Logger root = Logger.getLogger("");
        Handler[] console = root.getHandlers();
        List.of(console).forEach(root::removeHandler);
        real.addHandler(handler);
        try {
            LateLogger late = name.isEmpty() ? LateLogger.getAnonymousLogger() : LateLogger.getLogger(name);
            late.fine("nobody hears this");
            late.info("info");
            late.warning("warning");
            late.log(Level.SEVERE, "plain");
            late.log(Level.WARNING, "one {0}", "parameter");
            late.log(Level.WARNING, "{0} {1}", new Object[] {"two", "parameters"});
            late.log(Level.WARNING, "thrown", new IllegalStateException("it"));
            assertThat(late.isLoggable(Level.WARNING)).isTrue();
        } finally {
            real.removeHandler(handler);
            List.of(console).forEach(root::addHandler);
        }
        assertThat(said)
                .containsExactly(
                        "info",
                        "warning",
                        "plain",
                        "one {0} 1",
                        "{0} {1} 2",
                        "thrown java.lang.IllegalStateException: it");
    }

    private static Handler handler(List<String> said) {
        return new Handler() {
            @Override
            public void publish(LogRecord message) {
                Object[] parameters = message.getParameters();
                said.add(message.getMessage()
                        + (parameters == null ? "" : " " + parameters.length)
                        + (message.getThrown() == null ? "" : " " + message.getThrown()));
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
    }
}
