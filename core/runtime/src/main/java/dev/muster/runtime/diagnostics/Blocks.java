package dev.muster.runtime.diagnostics;

import dev.muster.runtime.text.TextResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Finds the last block in which a runtime tells why its program ends. */
final class Blocks {

    /** A kind of block: its first line, and the lines that may follow. */
    private record Kind(Pattern first, Pattern more) {}

    private static final List<Kind> KINDS = TextResource.lines(Blocks.class, "blocks.txt").stream()
            .map(line -> line.split(" => ", 2))
            .map(parts -> new Kind(Pattern.compile(parts[0]), Pattern.compile(parts[1])))
            .toList();

    /** Lines that only report the end of another process, or repeat what is before. */
    private static final Pattern OF_CHILD = Pattern.compile(
            "(?:.*\\.)?(?:ChildFailedError|CalledProcessError|ProcessExitedException)\\b.*|.*one or more processes exited.*");

    private static final String ABORTED = "Fatal Python error: Aborted";

    /** The most lines between a fatal error and the abort that it causes. */
    private static final int NEAR = 3;

    private Blocks() {}

    /** The last block; empty: none. Blocks that follow from an earlier one are part of its end. */
    static Optional<Block> last(List<String> output) {
        List<Block> all = all(output);
        int last = all.size() - 1;
        while (last > 0 && isConsequence(all.get(last), all.get(last - 1))) {
            last--;
        }
        if (last < 0) {
            return Optional.empty();
        }
        Block block = all.get(last);
        return Optional.of(new Block(block.start(), all.get(all.size() - 1).end(), block.lines(), block.key()));
    }

    private static boolean isConsequence(Block block, Block before) {
        boolean isAbort = block.lines().get(0).equals(ABORTED) && block.start() - before.end() <= NEAR;
        return isAbort
                || (!block.key().isEmpty()
                        && OF_CHILD.matcher(block.lines().get(block.key().get(0)))
                                .matches());
    }

    /** The last block of several programs that does not only report the end of another one. */
    static Optional<Block> lastOfSeveral(List<String> output) {
        List<Block> causes = all(output).stream()
                .filter(block -> !LastWords.isConsequence(block.lines()))
                .toList();
        return causes.isEmpty() ? last(output) : Optional.of(causes.get(causes.size() - 1));
    }

    private static List<Block> all(List<String> output) {
        List<Block> all = new ArrayList<>();
        int at = 0;
        while (at < output.size()) {
            Optional<Block> found = at(output, at);
            found.ifPresent(all::add);
            at = found.map(Block::end).orElse(at + 1);
        }
        return all;
    }

    private static Optional<Block> at(List<String> output, int index) {
        if (Traceback.startsAt(output, index)) {
            return Optional.of(Traceback.at(output, index));
        }
        if (TracebackBox.startsAt(output, index)) {
            return Optional.of(TracebackBox.at(output, index));
        }
        return KINDS.stream()
                .filter(kind -> kind.first().matcher(output.get(index)).matches())
                .findFirst()
                .map(kind -> read(output, index, kind));
    }

    private static Block read(List<String> output, int start, Kind kind) {
        List<String> lines = new ArrayList<>(List.of(output.get(start)));
        List<Integer> key = new ArrayList<>(List.of(0));
        int at = start + 1;
        while (at < output.size()
                && kind.more().matcher(output.get(at)).matches()
                && !output.get(at).contains(Traceback.HEADER)) {
            String line = output.get(at++);
            if (line.startsWith("Caused by: ") || line.startsWith("  what():")) {
                key.add(lines.size());
            }
            if (!line.isBlank()) {
                lines.add(line);
            }
        }
        return new Block(start, at, lines, key);
    }
}
