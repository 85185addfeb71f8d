package dev.muster.engine.tensorflow;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A value that is made when it is first asked for, and then kept: of a job of thousands, all plans need it. */
final class Once<T> {

    private final Supplier<T> maker;
    private volatile @Nullable T made;

    Once(Supplier<T> maker) {
        this.maker = maker;
    }

    T get() {
        T known = made;
        if (known == null) {
            known = maker.get();
            made = known;
        }
        return known;
    }
}
