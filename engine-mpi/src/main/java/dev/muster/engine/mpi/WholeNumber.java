package dev.muster.engine.mpi;

import dev.muster.spi.OptionValue;
import dev.muster.spi.PlanException;
import java.util.regex.Pattern;

/** Whole numbers that somebody wrote. */
final class WholeNumber {

    private static final Pattern DIGITS = Pattern.compile("[0-9]{1,9}");

    private WholeNumber() {}

    /**
     * The number that a value says.
     *
     * @param meaning what it should be, for example {@code a port}
     */
    static int of(OptionValue value, int least, int most, String meaning) throws PlanException {
        String text = value.value().strip();
        if (DIGITS.matcher(text).matches()) {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                return number;
            }
        }
        throw PlanException.ofValue(
                value, Messages.given(value) + " is not " + meaning + ": give a whole number " + least + ".." + most);
    }
}
