package dev.muster.testkit;

import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Damages what an input turned out to be, in one place: as a half-written file, a stranger's hand or another version would. */
final class InputDamage {

    private static final List<String> STRANGERS =
            List.of("", "\0", "\n\n", "x", "-1", "99999999999999999999", "\u00e4\u20ac", "= : ;", "  \t", "#");
    /** What programs and files may say where all is well. */
    private static final List<String> TEXTS =
            List.of("1.2.3\n", "node-0 slots=8\nnode-1 slots=8\n", "NAME=value\0OTHER=\0", "tool 2.0 (build 7)\n", "");

    private static final int[] CODES = {0, 0, 0, 0, 1, 2, 124, 126, 127, 137, 255};

    private final RandomGenerator random;

    InputDamage(RandomGenerator random) {
        this.random = random;
    }

    /** Empty: it is not there, as nothing is that need not be. */
    Optional<InputValue> damage(Input input, Optional<InputValue> value) {
        boolean isGone = random.nextInt(4) == 0;
        if (value.orElse(null) instanceof InputValue.Json json) {
            boolean isOptional = input instanceof Input.JsonFile file && !file.isRequired();
            return isGone && isOptional
                    ? Optional.empty()
                    : Optional.of(new InputValue.Json(json.path(), JsonDamage.damage(json.content(), random)));
        }
        if (input instanceof Input.CommandOutput) {
            return Optional.of(new InputValue.CommandOutput(CODES[random.nextInt(CODES.length)], text()));
        }
        if (input instanceof Input.Listing listing) {
            return Optional.of(new InputValue.Text(listing.path(), text()));
        }
        if (input instanceof Input.TextFile file) {
            return isGone ? Optional.empty() : Optional.of(new InputValue.Text(file.path(), text()));
        }
        return isGone ? Optional.empty() : value;
    }

    private String text() {
        String text = TEXTS.get(random.nextInt(TEXTS.size()));
        return random.nextBoolean() ? text : damaged(text);
    }

    /** Cut somewhere, with something strange in between or at the end. */
    private String damaged(String text) {
        int at = random.nextInt(text.length() + 1);
        String rest = random.nextBoolean() ? text.substring(at) : "";
        return text.substring(0, at) + STRANGERS.get(random.nextInt(STRANGERS.size())) + rest;
    }
}
