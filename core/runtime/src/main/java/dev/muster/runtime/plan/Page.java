package dev.muster.runtime.plan;

import dev.muster.runtime.text.Printable;
import java.util.List;

/** Text with headings, and tables whose columns are aligned. Control characters in cells are escaped. */
final class Page {

    private static final String GAP = "  ";

    private final StringBuilder text = new StringBuilder(4096);
    private boolean isBegun;

    /** One line of a table. */
    record Row(List<String> cells) {}

    static Row row(String... cells) {
        return new Row(List.of(cells));
    }

    void title(String title) {
        if (isBegun || !text.isEmpty()) {
            blank();
            blank();
        }
        line(0, title);
        line(0, "=".repeat(title.length()));
    }

    void section(String heading) {
        blank();
        line(0, heading);
    }

    void blank() {
        text.append('\n');
    }

    void line(int level, String line) {
        text.append(GAP.repeat(level)).append(line).append('\n');
    }

    /** Labels and values at the first level. */
    void fields(List<Row> rows) {
        fields(0, rows);
    }

    /** Only the first column is aligned: values may be long. */
    void fields(int level, List<Row> rows) {
        write(level, rows, 1, " ");
    }

    /** All columns are aligned but the last. */
    void table(List<Row> rows) {
        write(1, rows, Integer.MAX_VALUE, GAP);
    }

    /** What was written since the last time. */
    String take() {
        String taken = text.toString();
        isBegun |= !taken.isEmpty();
        text.setLength(0);
        return taken;
    }

    private void write(int level, List<Row> rows, int aligned, String gap) {
        for (Row row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < row.cells().size(); column++) {
                String cell = Printable.escape(row.cells().get(column));
                line.append(column == 0 ? "" : column <= aligned ? GAP : gap).append(cell);
                boolean isLast = column == row.cells().size() - 1;
                if (!isLast && column < aligned) {
                    line.append(" ".repeat(width(rows, column) - cell.length()));
                }
            }
            line(level, line.toString().stripTrailing());
        }
    }

    private static int width(List<Row> rows, int column) {
        int width = 0;
        for (Row row : rows) {
            if (column < row.cells().size()) {
                width = Math.max(
                        width, Printable.escape(row.cells().get(column)).length());
            }
        }
        return width;
    }
}
