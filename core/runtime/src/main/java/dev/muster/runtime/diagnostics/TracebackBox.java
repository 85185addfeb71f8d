package dev.muster.runtime.diagnostics;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Reads a traceback that the library rich, or typer with it, has drawn as a box. The exception is below the box. */
final class TracebackBox {

    private static final Pattern TOP = Pattern.compile(".*[╭┌+][─-]+ Traceback \\(most recent call last\\) [─-]+[╮┐+]");
    private static final Pattern SIDE = Pattern.compile("[│|].*");
    private static final Pattern BOTTOM = Pattern.compile("[╰└+].*");

    /** The place of a frame, and its source line. */
    private static final Pattern FRAME = Pattern.compile("[│|] (?:\\S.*:[0-9]+ in .*|.*[❱>] +[0-9]+ .*)");

    private TracebackBox() {}

    static boolean startsAt(List<String> output, int index) {
        return TOP.matcher(output.get(index)).matches();
    }

    /** The block whose box starts at this line. */
    static Block at(List<String> output, int start) {
        String top = output.get(start);
        int prefix = Math.max(0, Math.max(top.indexOf('╭'), Math.max(top.indexOf('┌'), top.indexOf('+'))));
        List<String> lines = new ArrayList<>(List.of(Traceback.HEADER));
        int at = start + 1;
        while (at < output.size() && SIDE.matcher(after(output.get(at), prefix)).matches()) {
            String line = after(output.get(at++), prefix);
            if (FRAME.matcher(line).matches()) {
                lines.add(line.replaceAll("[ │|]+$", ""));
            }
        }
        at += isBottom(output, at, prefix) ? 1 : 0;
        int message = lines.size();
        while (at < output.size()
                && !after(output.get(at), prefix).isBlank()
                && !output.get(at).contains(Traceback.HEADER)
                && !startsAt(output, at)) {
            lines.add(after(output.get(at++), prefix));
        }
        return new Block(start, at, lines, message < lines.size() ? List.of(message) : List.of());
    }

    private static boolean isBottom(List<String> output, int at, int prefix) {
        return at < output.size()
                && BOTTOM.matcher(after(output.get(at), prefix)).matches();
    }

    private static String after(String line, int prefix) {
        return line.length() > prefix ? line.substring(prefix) : "";
    }
}
