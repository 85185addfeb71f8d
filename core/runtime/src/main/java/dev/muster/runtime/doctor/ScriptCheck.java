package dev.muster.runtime.doctor;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Scripts in the command: whether they exist, and were written on Windows. */
final class ScriptCheck {

    private static final Pattern SCRIPT = Pattern.compile("[^-\\s][^\\s:\0]*\\.(?:py|sh)");
    private static final Pattern SHELL = Pattern.compile("(?s)#![^\\n]*sh\\b.*");
    private static final Pattern INTERPRETER = Pattern.compile("(?:.*/)?(?:python[0-9.]*|(?:ba|da)?sh)");
    private static final String MARK = "\u00ef\u00bb\u00bf#!";
    private static final int HEAD = 64 * 1024;

    private ScriptCheck() {}

    static Stream<Finding> findings(NodeFacts node) {
        List<String> words = node.request().command();
        return words.stream()
                .filter(SCRIPT.asMatchPredicate())
                .flatMap(word -> finding(node.workDirectory(), word, isRun(words.subList(0, words.indexOf(word)))));
    }

    /** Whether an interpreter runs it. Other names of scripts may be values of any kind, or paths in a container. */
    private static boolean isRun(List<String> before) {
        return !before.isEmpty()
                && INTERPRETER.matcher(before.get(0)).matches()
                && before.stream().skip(1).allMatch(word -> word.matches("-[^cm].*"));
    }

    private static Stream<Finding> finding(Path directory, String word, boolean isRun) {
        Path file = directory.resolve(word);
        if (!Files.exists(file)) {
            return isRun ? Stream.of(Finding.of("script.missing", word, directory)) : Stream.empty();
        }
        String head = head(file);
        // Python accepts Windows line ends; shells and the kernel do not.
        boolean isShell = word.endsWith(".sh") || SHELL.matcher(head).matches();
        return head.startsWith(MARK)
                ? Stream.of(Finding.of("script.bom", word))
                : isShell && head.contains("\r\n") ? Stream.of(Finding.of("script.windows", word)) : Stream.empty();
    }

    private static String head(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            return new String(in.readNBytes(HEAD), StandardCharsets.ISO_8859_1);
        } catch (IOException unreadable) {
            return ""; // the interpreter reports it
        }
    }
}
