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
 * A row of {@code signs.txt}, which describes the columns: a sign that the job may have several nodes. The table does not depend on the
 * platforms' readers, so it helps if a reader is missing or wrong. Without it the worst could happen: each node trains alone, and the
 * launcher calls that a success.
 *
 * @param called the name of its owner, for users; empty: a built-in platform
 * @param platforms the platforms whose readers use it
 * @param companions variables that must be set, too, since the name alone is common
 */
record Sign(
        String source,
        Kind kind,
        String called,
        List<String> platforms,
        List<String> companions,
        List<String> remarks) {

    static final int MOST = 1_000_000_000;

    /** Variables that no built-in platform reads, in the form of {@link PlatformContract#matches}. */
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
        /** An index: a node with an index above 0 is not the only one. */
        INDEX,
        /** A list of hosts, in a variable or in a file: its length is the number of nodes. */
        HOSTS,
        /** There may be other nodes, and no other sign of the same cluster tells how many. */
        PRESENCE,
        /** This kind and those below have their own rules, in {@link FrameworkSigns}. */
        TORCHRUN,
        WORLD_SIZE,
        TENSORFLOW,
        VOLCANO,
        MINDX_ALONE,
        RANK_TABLES
    }

    /** Whether a variable may describe a job: it would mislead a simulated node. */
    static boolean mayDescribeJob(String variable, List<Platform> platforms) {
        return PlatformContract.matches(OF_OTHERS, variable)
                || TABLE.stream().anyMatch(sign -> sign.source().equals(variable))
                || platforms.stream().anyMatch(platform -> PlatformContract.matches(platform.variables(), variable));
    }

    /**
     * The signs of several nodes that nothing has used.
     *
     * @param platform the name of the platform here: its signs count as used if the number of nodes is known
     * @param nodes the number of nodes by platform and options; empty: unknown
     */
    static List<Claim> unusedSigns(EvidenceReader evidence, String platform, OptionalInt nodes) {
        Optional<String> named = evidence.option(OptionTable.PLATFORM.name())
                .map(OptionValue::value)
                .filter(name -> !name.equals(PlatformCatalog.AUTOMATIC));
        if (evidence.userNodes().isPresent()) {
            return List.of();
        }
        boolean isOne = nodes.orElse(0) == 1
                && evidence.option(OptionTable.NODE_INDEX.name()).isEmpty();
        List<Claim> claims = new ArrayList<>();
        for (Sign sign : TABLE) {
            // If the user names a platform, only its own signs count. Platform none has no signs.
            boolean isMeant = !sign.isGivenToRanks(evidence)
                    && named.map(sign.platforms()::contains).orElse(true);
            boolean isUsed = sign.platforms().contains(platform) && nodes.isPresent();
            if (isMeant && !isUsed) {
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

    /** Launchers set such variables for their ranks, and ranks may start launchers. */
    private boolean isGivenToRanks(EvidenceReader evidence) {
        return (evidence.isOfMuster() && remarks.contains("no-rank-of-muster"))
                || (evidence.isOfARank() && remarks.contains("no-rank"));
    }

    /** What the sign says here; empty: no other nodes. */
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

    /** The number that the sign tells; 0: nothing. Of a range it is the greatest number. */
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
