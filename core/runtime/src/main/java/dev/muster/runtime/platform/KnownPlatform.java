package dev.muster.runtime.platform;

import dev.muster.runtime.text.TextResource;
import dev.muster.spi.Evidence;
import dev.muster.spi.Platform;
import dev.muster.spi.PlatformContract;
import dev.muster.spi.PlatformInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * A built-in platform, as {@code platforms.txt} describes it.
 *
 * @param properties the lines below its name, by their first words
 */
record KnownPlatform(String name, String title, Map<String, List<String>> properties) implements Platform {

    /** In the order in which they are asked; the last is {@code none}. */
    static final List<KnownPlatform> ALL = parse();

    private static final String INDENT = "  ";

    private static List<KnownPlatform> parse() {
        List<KnownPlatform> all = new ArrayList<>();
        for (String line : TextResource.lines(KnownPlatform.class, "platforms.txt")) {
            if (line.startsWith(INDENT)) {
                List<String> words = List.of(line.strip().split(" ", -1));
                all.get(all.size() - 1).properties.put(words.get(0), words.subList(1, words.size()));
            } else {
                String[] head = line.split(": ", 2);
                all.add(new KnownPlatform(head[0], head[1], new HashMap<>()));
            }
        }
        return all;
    }

    static KnownPlatform none() {
        return ALL.get(ALL.size() - 1);
    }

    static KnownPlatform mpirun() {
        return ALL.get(0);
    }

    @Override
    public List<String> variables() {
        return property("reads");
    }

    @Override
    public Optional<String> sign(Evidence evidence) {
        return reader(new EvidenceReader(evidence)).sign();
    }

    @Override
    public PlatformInfo read(Evidence evidence) {
        return reader(new EvidenceReader(evidence)).info(this);
    }

    /** The words of a line of this kind; empty: there is none. */
    List<String> property(String kind) {
        return properties.getOrDefault(kind, List.of());
    }

    private Optional<String> only(String kind) {
        return property(kind).stream().findFirst();
    }

    Optional<Duration> exitDelay() {
        return only("exit-delay").map(Duration::parse);
    }

    PlatformContract contract() {
        return new PlatformContract(
                name,
                only("port").map(Integer::valueOf),
                only("table"),
                new TreeSet<>(property("frameworks")),
                property("local"),
                only("manager"),
                property("index"),
                only("name"),
                only("address"));
    }

    private PlatformReader reader(EvidenceReader evidence) {
        return switch (name) {
            case "mpirun" -> new OuterMpirun(evidence);
            case "modelarts" -> new ModelArts(evidence);
            case "acjob" -> new AcJob(evidence);
            case "mindx-dl" -> new MindXDl(evidence);
            case "apulis" -> new Apulis(evidence);
            case "mpijob" -> new MpiJob(evidence, false);
            case "tfjob" -> new TfJob(evidence);
            case "pytorchjob" -> new PyTorchJob(evidence);
            case "trainer" -> MpiJob.isTrainerPod(evidence) ? new MpiJob(evidence, true) : new Trainer(evidence);
            case "jaxjob" -> new JaxJob(evidence);
            case "volcano" -> new Volcano(evidence);
            case "jobset" -> new IndexedJob(evidence, true);
            case "indexed-job" -> new IndexedJob(evidence, false);
            case "slurm" -> new Slurm(evidence);
            case "none" -> new NoPlatform(evidence);
            default -> new ClusterReader(evidence, this);
        };
    }
}
