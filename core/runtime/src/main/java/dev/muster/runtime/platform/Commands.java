package dev.muster.runtime.platform;

import dev.muster.spi.Input;
import dev.muster.spi.InputValue;

/** Asks programs of this machine for facts; in tests, what they answered elsewhere. */
@FunctionalInterface
public interface Commands {

    InputValue.CommandOutput ask(Input.CommandOutput question);
}
