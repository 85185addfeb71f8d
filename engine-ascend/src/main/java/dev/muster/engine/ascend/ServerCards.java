package dev.muster.engine.ascend;

import dev.muster.spi.PlanException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Which cards of a server were seen. There may be twelve thousand servers of eight cards each. */
final class ServerCards {

    /** Bits of ids that are lower than a {@code long} has bits; almost all are. */
    private long low;

    private final BitSet high = new BitSet(0);

    /** The arrays that list the cards: one, but where several containers run on the server. */
    private final List<JsonView> arrays = new ArrayList<>(1);

    /** Whether this is the first card with this id. */
    boolean add(int id, JsonView device) {
        JsonView array = device.array();
        if (arrays.isEmpty() || arrays.get(arrays.size() - 1) != array) {
            arrays.add(array);
        }
        if (id >= Long.SIZE) {
            boolean isNew = !high.get(id);
            high.set(id);
            return isNew;
        }
        boolean isNew = (low >>> id & 1) == 0;
        low |= 1L << id;
        return isNew;
    }

    /** The card that was the first with an id, which stands under this key. */
    JsonView first(String key, int id, int most) throws PlanException {
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
