package dev.muster.runtime.text;

import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A mask that is made when the first text is to be masked: most launchers say little, and all shall start fast. */
public final class LazyMask implements UnaryOperator<String> {

    private final Supplier<Mask> maker;
    private @Nullable Mask mask;

    public LazyMask(Supplier<Mask> maker) {
        this.maker = maker;
    }

    @Override
    public synchronized String apply(String text) {
        @Nullable Mask made = mask;
        if (made == null) {
            made = maker.get();
            mask = made;
        }
        return made.apply(text);
    }
}
