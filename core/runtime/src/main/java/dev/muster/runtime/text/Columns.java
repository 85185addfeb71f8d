package dev.muster.runtime.text;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Text in columns. */
public final class Columns {

    private static final int GAP = 2;

    private Columns() {}

    /** One line for each row; every column but the last is as wide as its widest cell. */
    public static String align(List<List<String>> rows) {
        StringBuilder text = new StringBuilder();
        Map<Integer, Integer> widths = new HashMap<>();
        for (List<String> row : rows) {
            for (int column = 0; column < row.size(); column++) {
                boolean last = column == row.size() - 1;
                int width = last ? 0 : widths.computeIfAbsent(column, at -> width(rows, at)) + GAP;
                text.append(pad(row.get(column), width));
            }
            text.append('\n');
        }
        return text.toString();
    }

    /** The text followed by as many blanks as are needed. */
    public static String pad(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }

    private static int width(List<List<String>> rows, int column) {
        int width = 0;
        for (List<String> row : rows) {
            width = Math.max(width, row.get(column).length());
        }
        return width;
    }
}
