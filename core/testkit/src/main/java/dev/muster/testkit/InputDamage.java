package dev.muster.testkit;

import dev.muster.spi.InputValue;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Damages what an input turned out to be, in one place: as a half-written file, a stranger's hand or another version would. */
final class InputDamage {

    private static final List<String> STRANGERS =
            List.of("", "\0", "\n\n", "x", "-1", "99999999999999999999", "\u00e4\u20ac", "= : ;", "  \t", "#");
    private static final int MOST_CODES = 256;

    private final Random random;

    InputDamage(Random random) {
        this.random = random;
    }

    /** Empty: it is not there any more. */
    Optional<InputValue> damage(InputValue value) {
        if (value instanceof InputValue.Json json) {
            return Optional.of(new InputValue.Json(json.path(), JsonDamage.damage(json.content(), random)));
        }
        if (value instanceof InputValue.Text text) {
            return Optional.of(new InputValue.Text(text.path(), damaged(text.content())));
        }
        if (value instanceof InputValue.CommandOutput command) {
            return Optional.of(new InputValue.CommandOutput(random.nextInt(MOST_CODES), damaged(command.output())));
        }
        return random.nextBoolean() ? Optional.of(value) : Optional.empty();
    }

    /** Cut somewhere, with something strange in between or at the end. */
    private String damaged(String text) {
        int at = random.nextInt(text.length() + 1);
        String rest = random.nextBoolean() ? text.substring(at) : "";
        return text.substring(0, at) + STRANGERS.get(random.nextInt(STRANGERS.size())) + rest;
    }
}
