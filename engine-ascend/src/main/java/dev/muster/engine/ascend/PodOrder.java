package dev.muster.engine.ascend;

import dev.muster.spi.PlainRows;
import dev.muster.spi.PlanException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The order of pods by the numbers at the ends of their names. There may be twelve thousand. */
final class PodOrder {

    /** Under which the name stands. */
    static final String NAME = "pod_name";

    private static final int HIGHEST_NUMBER = Integer.MAX_VALUE;

    private final JsonView.Elements pods;
    private final Optional<PlainRows> rows;
    private final int column;

    private PodOrder(JsonView.Elements pods) {
        this.pods = pods;
        this.rows = pods.rows();
        this.column = rows.map(plain -> plain.column(NAME)).orElse(PlainRows.NONE);
    }

    /** The pods by their numbers. An only one needs none. */
    static List<JsonView> of(JsonView.Elements pods) throws PlanException {
        PodOrder order = new PodOrder(pods);
        return pods.size() < 2 || order.isKept() ? pods : order.sorted();
    }

    /** As they stand, almost always. */
    private boolean isKept() throws PlanException {
        boolean isKept = true;
        int last = 0;
        for (int pod = 0; pod < pods.size(); pod++) {
            int number = number(pod);
            isKept &= number >= last;
            last = number;
        }
        return isKept;
    }

    private List<JsonView> sorted() throws PlanException {
        List<NumberedPod> numbered = new ArrayList<>(pods.size());
        for (int pod = 0; pod < pods.size(); pod++) {
            numbered.add(new NumberedPod(number(pod), pods.get(pod)));
        }
        numbered.sort(Comparator.comparingInt(NumberedPod::number));
        List<JsonView> sorted = new ArrayList<>(pods.size());
        for (NumberedPod pod : numbered) {
            sorted.add(pod.pod());
        }
        return sorted;
    }

    private int number(int pod) throws PlanException {
        int place =
                column == PlainRows.NONE ? PlainRows.NONE : rows.orElseThrow().place(pod, column);
        int number = place == PlainRows.NONE
                ? WholeNumber.NONE
                : numberIn(place, place + rows.orElseThrow().length(pod, column));
        return number == WholeNumber.NONE ? number(pods.get(pod)) : number;
    }

    /** The number of a name that stands in the bytes of the file. */
    private int numberIn(int start, int end) {
        byte[] bytes = rows.orElseThrow().bytes();
        int first = end;
        while (first > start && bytes[first - 1] != '-') {
            first--;
        }
        return WholeNumber.parse(bytes, first, end, HIGHEST_NUMBER);
    }

    private static int number(JsonView pod) throws PlanException {
        String name = pod.text(NAME);
        int number = WholeNumber.parse(name.substring(name.lastIndexOf('-') + 1), HIGHEST_NUMBER);
        if (number == WholeNumber.NONE) {
            throw pod.child(NAME)
                    .refusal(
                            "pod_name " + Messages.quote(name) + " does not end in -<number>",
                            "The number tells the order of the pods; name them <job>-0, <job>-1 and so on");
        }
        return number;
    }

    private record NumberedPod(int number, JsonView pod) {}
}
