package dev.muster;

import java.util.Comparator;
import java.util.function.Function;

/**
 * What {@link Comparator} composes, without lambdas that can be serialised: the JDK makes the classes of those anew in every launch. The
 * build puts it where code of the jar calls the other; see docs/adr/0023.
 *
 * @param <T> what is compared
 */
public final class PlainOrder<T> implements Comparator<T> {

    private final Comparator<? super T> order;

    private PlainOrder(Comparator<? super T> order) {
        this.order = order;
    }

    @Override
    public int compare(T one, T other) {
        return order.compare(one, other);
    }

    public static <T, U extends Comparable<? super U>> Comparator<T> comparing(Function<? super T, ? extends U> key) {
        return new PlainOrder<T>((one, other) -> key.apply(one).compareTo(key.apply(other)));
    }

    public static <T, U> Comparator<T> comparing(Function<? super T, ? extends U> key, Comparator<? super U> keys) {
        return new PlainOrder<T>((one, other) -> keys.compare(key.apply(one), key.apply(other)));
    }

    /** Those of the JDK may have a way of their own. */
    public static <T> Comparator<T> thenComparing(Comparator<T> first, Comparator<? super T> then) {
        return first instanceof PlainOrder ? new PlainOrder<T>(new Both<T>(first, then)) : first.thenComparing(then);
    }

    public static <T, U extends Comparable<? super U>> Comparator<T> thenComparing(
            Comparator<T> first, Function<? super T, ? extends U> key) {
        return thenComparing(first, comparing(key));
    }

    public static <T, U> Comparator<T> thenComparing(
            Comparator<T> first, Function<? super T, ? extends U> key, Comparator<? super U> keys) {
        return thenComparing(first, comparing(key, keys));
    }

    /** The second decides where the first does not. */
    private static final class Both<T> implements Comparator<T> {

        private final Comparator<? super T> first;
        private final Comparator<? super T> then;

        Both(Comparator<? super T> first, Comparator<? super T> then) {
            this.first = first;
            this.then = then;
        }

        @Override
        public int compare(T one, T other) {
            int result = first.compare(one, other);
            return result == 0 ? then.compare(one, other) : result;
        }
    }
}
