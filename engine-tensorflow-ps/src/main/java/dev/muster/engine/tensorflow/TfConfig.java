package dev.muster.engine.tensorflow;

import dev.muster.spi.Value;
import dev.muster.spi.ValueText;
import java.util.List;

/** The text of {@code TF_CONFIG}: one line of JSON, a blank after comma and colon. */
record TfConfig(Cluster cluster, Strategy strategy) {

    /** The variable from which TensorFlow reads its cluster. */
    static final String VARIABLE = "TF_CONFIG";

    private static final String CHIEF = "chief";

    /** The text for one process of the cluster. */
    Value of(Member member) {
        return head().add("}, \"task\": {\"type\": " + "\"" + type(member) + "\", \"index\": " + index(member) + "}}")
                .value();
    }

    /** The beginning, which is the same for all processes. */
    private ValueText head() {
        List<Endpoint> workers = cluster.workers().endpoints();
        ValueText text = new ValueText().add("{\"cluster\": {");
        if (strategy == Strategy.CHIEF) {
            list(text, CHIEF, workers.subList(0, 1)).add(", ");
        }
        if (strategy.hasPs()) {
            list(text, Role.PS.word(), cluster.ps().endpoints()).add(", ");
        }
        return list(
                text, Role.WORKER.word(), strategy == Strategy.CHIEF ? workers.subList(1, workers.size()) : workers);
    }

    private boolean isAfterChief(Member member) {
        return strategy == Strategy.CHIEF && member.role() == Role.WORKER;
    }

    private String type(Member member) {
        return isAfterChief(member) && member.index() == 0
                ? CHIEF
                : member.role().word();
    }

    /** The index in TF_CONFIG: the chief is not counted as a worker. */
    private int index(Member member) {
        return isAfterChief(member) && member.index() > 0 ? member.index() - 1 : member.index();
    }

    private static ValueText list(ValueText text, String type, List<Endpoint> endpoints) {
        text.add("\"" + type + "\": [");
        String separator = "\"";
        for (Endpoint endpoint : endpoints) {
            text.add(separator).add(endpoint.text());
            separator = "\", \"";
        }
        return text.add("\"]");
    }
}
