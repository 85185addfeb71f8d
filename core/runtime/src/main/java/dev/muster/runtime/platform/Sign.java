package dev.muster.runtime.platform;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.WholeNumber;
import dev.muster.runtime.text.TextResource;
import dev.muster.spi.OptionValue;
import dev.muster.spi.Platform;
import dev.muster.spi.PlatformContract;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * A row of {@code signs.txt}, which describes the columns: by what a launcher sees that its job may have several nodes. The
 * table knows nothing of the platforms' readers: it holds when one of them is missing, is wrong, or has never been thought of. The worst
 * that a launcher can do is to take the part for the whole, train alone on every node and call it a success.
 *
 * @param called whose it is, for people; empty: a platform of ours
 * @param platforms whose readers hear it
 * @param companions without which a common name means nothing
 */
record Sign(
        String source,
        Kind kind,
        String called,
        List<String> platforms,
        List<String> companions,
        List<String> remarks) {

    static final int MOST = 1_000_000_000;

    /** What no platform of ours reads, in the words of {@link PlatformContract#matches}. */
    private static final List<String> OF_OTHERS = List.of("MPI_HOST", "MINDSPORE_HCCL_CONFIG_PATH");

    static final List<Sign> TABLE = TextResource.lines(Sign.class, "signs.txt").stream()
            .map(line -> Stream.of(line.split("\\|", -1)).map(String::strip).toList())
            .map(cells -> new Sign(
                    cells.get(0),
                    Kind.valueOf(cells.get(1)),
                    cells.get(2),
                    words(cells.get(3)),
                    words(cells.get(4)),
                    words(cells.get(5))))
            .toList();

    /** How a sign counts. */
    enum Kind {
        NODES,
        PROCESSES,
        /** Whoever is not the first is not the only one. */
        INDEX,
        /** There are nodes, and it says how many: a list of hosts, in a variable or in a file. */
        HOSTS,
        /** There may be others, where no count of the same kind of cluster says how many. */
        PRESENCE,
        /** The others have rules of their own. */
        TORCHRUN,
        WORLD_SIZE,
        TENSORFLOW,
        VOLCANO,
        MINDX_ALONE,
        RANK_TABLES
    }

    /** Whether a variable may say something of a job, by which a virtual node would be misled. */
    static boolean areRead(String variable, List<Platform> platforms) {
        return PlatformContract.matches(OF_OTHERS, variable)
                || TABLE.stream().anyMatch(sign -> sign.source().equals(variable))
                || platforms.stream().anyMatch(platform -> PlatformContract.matches(platform.variables(), variable));
    }

    /**
     * What says that the job has several nodes, and was followed by nobody.
     *
     * @param platform the name of the platform that we are on: what it tells about the number of nodes is heard
     * @param nodes how many there are by platform and options; empty: nobody says so
     */
    static List<Claim> unheard(EvidenceReader evidence, String platform, OptionalInt nodes) {
        Optional<String> named = evidence.said(OptionTable.PLATFORM.name())
                .map(OptionValue::value)
                .filter(name -> !name.equals(PlatformCatalog.AUTOMATIC));
        if (evidence.saidNodes().isPresent()) {
            return List.of();
        }
        boolean isOne = nodes.orElse(0) == 1
                && evidence.said(OptionTable.NODE_INDEX.name()).isEmpty();
        List<Claim> claims = new ArrayList<>();
        for (Sign sign : TABLE) {
            // Whoever names a platform means its signs alone; those of none are no platform's.
            boolean isMeant = !sign.isGivenToRanks(evidence)
                    && named.map(sign.platforms()::contains).orElse(true);
            boolean isHeard = sign.platforms().contains(platform) && nodes.isPresent();
            if (isMeant && !isHeard) {
                sign.claim(evidence).ifPresent(claims::add);
            } else if (isMeant && isOne && sign.remarks.contains("one")) {
                sign.claim(evidence).map(Claim::doubtful).ifPresent(claims::add);
            }
        }
        return claims;
    }

    private static List<String> words(String cell) {
        return cell.isEmpty() ? List.of() : List.of(cell.split(" ", -1));
    }

    /** Launchers give such variables to their own ranks, who may start launchers in turn. */
    private boolean isGivenToRanks(EvidenceReader evidence) {
        return (evidence.isOfMuster() && remarks.contains("no-rank-of-muster"))
                || (evidence.isOfARank() && remarks.contains("no-rank"));
    }

    /** What it says of others here. */
    Optional<Claim> claim(EvidenceReader evidence) {
        return switch (kind) {
            case TORCHRUN -> FrameworkSigns.torchrun(evidence);
            case WORLD_SIZE -> FrameworkSigns.worldSize(evidence);
            case TENSORFLOW -> FrameworkSigns.tensorFlow(evidence);
            case VOLCANO -> FrameworkSigns.volcano(evidence);
            case MINDX_ALONE -> FrameworkSigns.mindXAlone(evidence);
            case RANK_TABLES -> FrameworkSigns.rankTables(evidence);
            default -> companions.stream().allMatch(evidence::isSet) ? counted(number(evidence)) : Optional.empty();
        };
    }

    private Optional<Claim> counted(int number) {
        String text = source
                + (kind == Kind.HOSTS || kind == Kind.PRESENCE ? "" : "=" + number)
                + (called.isEmpty() ? "" : " (" + called + ")");
        return Optional.of(
                        switch (kind) {
                            case PROCESSES -> Claim.ofOthers(text + " says that others belong to this job");
                            case INDEX -> Claim.ofIndex(text, number);
                            case PRESENCE -> Claim.ofPresence(text);
                            default -> Claim.ofNodes(text, number);
                        })
                .filter(claim -> number > (kind == Kind.INDEX ? 0 : 1));
    }

    /** How many it counts; 0: nothing. Where torchrun may have fewer, the most. */
    private int number(EvidenceReader evidence) {
        if (kind == Kind.HOSTS) {
            return HostNames.in(evidence, source).size();
        }
        if (kind == Kind.PRESENCE) {
            return evidence.isSet(source) && !isCounted(evidence) ? 2 : 0;
        }
        if (called.isEmpty()) {
            return evidence.integer(source, 0, MOST).orElse(0);
        }
        String value = evidence.value(source).orElse("");
        return WholeNumber.parse(value.substring(value.indexOf(':') + 1), 0, MOST)
                .orElse(0);
    }

    private boolean isCounted(EvidenceReader evidence) {
        return !called.isEmpty()
                && TABLE.stream()
                        .filter(row -> row.called.equals(called) && row.kind != Kind.PRESENCE && row.kind != Kind.INDEX)
                        .anyMatch(row -> evidence.isSet(row.source));
    }
}
