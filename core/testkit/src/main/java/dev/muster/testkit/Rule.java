package dev.muster.testkit;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The rules of engines. A failure names the rule, what was seen, where, what to do, and the page that explains the rule.
 *
 * @since 0.1
 */
public enum Rule {
    IDENTITY("R1 Identity"),
    PURITY("R2 Purity"),
    RANKS("R3 Ranks"),
    ENVIRONMENT("R4 Environment"),
    FILES("R5 Files"),
    VALIDITY("R6 Validity"),
    OUTCOME("R7 Outcome"),
    REFUSALS("R8 Refusals"),
    SUPERVISION("R9 Supervision"),
    PLATFORM("P Platforms");

    private static final String PAGE = "docs/engine-spi.md#";
    private static final String PLATFORMS = "docs/platform-spi.md#what-does-the-kit-check";

    private final String title;

    Rule(String title) {
        this.title = title;
    }

    /**
     * The failure of a test.
     *
     * @param where class, method and input
     * @param seen what the engine does
     * @param fix what its author can do
     */
    public AssertionError broken(String where, String seen, String fix) {
        return broken(where, seen, fix, null);
    }

    /** The same with the exception that the engine threw. */
    public AssertionError broken(String where, String seen, String fix, @Nullable Throwable cause) {
        String page = this == PLATFORM
                ? PLATFORMS
                : PAGE + title.toLowerCase(Locale.ROOT).replace(' ', '-');
        return new AssertionError(
                title + " is broken\n  seen:  " + seen + "\n  where: " + where + "\n  fix:   " + fix + "\n  page:  "
                        + page,
                cause);
    }

    /** Fails unless the condition holds. */
    public void require(boolean holds, String where, String seen, String fix) {
        if (!holds) {
            throw broken(where, seen, fix);
        }
    }
}
