package dev.muster.runtime.doctor;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.json.Json;
import dev.muster.runtime.text.Columns;
import dev.muster.runtime.text.Printable;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * What was found on a node, for people and for machines.
 *
 * @param mask hides secrets
 */
record DoctorReport(List<Finding> findings, UnaryOperator<String> mask) {

    /** As {@code docs/doctor.schema.json} has it. */
    private record Document(int exitCode, List<Entry> findings) {}

    private record Entry(String level, String subject, String found, String advice) {

        String text() {
            return advice.isEmpty() ? found : found + ". " + advice;
        }
    }

    int exitCode() {
        return count(Finding.Level.WRONG) > 0 ? ExitCode.CONFIGURATION.code() : 0;
    }

    private long count(Finding.Level level) {
        return findings.stream().filter(finding -> finding.level() == level).count();
    }

    /** Such as {@code 14 ok, 1 warning, 2 wrong}. */
    String summary() {
        long warnings = count(Finding.Level.WARNING);
        return count(Finding.Level.OK) + " ok, " + warnings + (warnings == 1 ? " warning, " : " warnings, ")
                + count(Finding.Level.WRONG) + " wrong";
    }

    String text() {
        List<List<String>> rows = findings.stream()
                .map(this::entry)
                .map(entry -> List.of(entry.level, entry.subject, entry.text()))
                .toList();
        return Columns.align(rows) + summary() + "\n";
    }

    String json() {
        return Json.indented(
                new Document(exitCode(), findings.stream().map(this::entry).toList()));
    }

    private Entry entry(Finding finding) {
        return new Entry(
                finding.levelWord(), shown(finding.subject()), shown(finding.found()), shown(finding.advice()));
    }

    private String shown(String text) {
        return Printable.escape(mask.apply(text));
    }
}
