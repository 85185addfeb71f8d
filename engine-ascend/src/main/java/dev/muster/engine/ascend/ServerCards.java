package dev.muster.engine.ascend;

import dev.muster.spi.PlanException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which cards of a server were seen. There may be twelve thousand servers of eight cards each. */
final class ServerCards {

    /** Bits of ids that are lower than a {@code long} has bits; almost all are. */
    private long low;

    private @Nullable BitSet high;

    /** The arrays that list the cards, the last one beside the others: it is the only one, but where containers share the server. */
    private List<JsonView> others = List.of();

    private @Nullable JsonView last;

    /**
     * Whether this is the first card with this id.
     *
     * @param array that lists the card
     */
    boolean add(int id, JsonView array) {
        if (last != array) {
            if (last != null) {
                others = others.isEmpty() ? new ArrayList<>() : others;
                others.add(last);
            }
            last = array;
        }
        if (id >= Long.SIZE) {
            return addHigh(id);
        }
        boolean isNew = (low >>> id & 1) == 0;
        low |= 1L << id;
        return isNew;
    }

    private boolean addHigh(int id) {
        BitSet seen = high == null ? new BitSet() : high;
        high = seen;
        boolean isNew = !seen.get(id);
        seen.set(id);
        return isNew;
    }

    /** The card that was the first with an id, which stands under this key. */
    JsonView first(String key, int id, int most) throws PlanException {
        List<JsonView> arrays = new ArrayList<>(others);
        if (last != null) {
            arrays.add(last);
        }
        for (JsonView array : arrays) {
            for (JsonView device : array.elements()) {
                if (device.number(key, most) == id) {
                    return device;
                }
            }
        }
        throw new IllegalStateException("no card has the id " + id);
    }
}
