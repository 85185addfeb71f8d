package dev.muster.words;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Counts lines of code, words of documentation and types of the SPI. Blank lines and comments do not count. */
final class ProductSize extends SimpleFileVisitor<Path> {

    private static final Set<String> IGNORED =
            Set.of("target", ".git", "node_modules", "examples", "muster-sim", "muster-logs");
    private static final Pattern MAIN = Pattern.compile("(?<module>.+)/src/main/java/(?<package>.+)/[^/]+\\.java");
    private static final Pattern NOT_CODE =
            Pattern.compile("/\\*.*?\\*/|//[^\\n]*|\"(\\\\.|[^\"\\\\])*\"", Pattern.DOTALL);
    /** The formatter indents members of a type by four, and those of a nested one by eight. */
    private static final Pattern METHOD =
            Pattern.compile("(?m)^( {4}| {8})(?=[a-zA-Z<].*\\()(?!.*\\b(?:class|record|enum|interface)\\b)"
                    + "[^;={}]*\\)[^;={}]*\\{\\n((?:.*\\n)*?)\\1\\}$");

    private static final int LONG_METHOD = 20;
    private static final Pattern TYPE = Pattern.compile("\\b(?:class|interface|enum|record|@interface)\\s+[A-Z]\\w*");

    private final Path root;
    private final Map<String, Integer> sizes = new TreeMap<>();

    private ProductSize(Path root) {
        this.root = root;
    }

    /** The sizes of the project in this directory, by the keys of {@code budget.properties}. */
    static Map<String, Integer> of(Path root) throws IOException {
        ProductSize size = new ProductSize(root);
        Files.walkFileTree(root, size);
        return size.sizes;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
        return IGNORED.contains(directory.getFileName().toString())
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
        if (attributes.isRegularFile()) {
            count(file, root.relativize(file).toString());
        }
        return FileVisitResult.CONTINUE;
    }

    private void count(Path file, String name) {
        if (name.endsWith(".md")) {
            add("words", read(file).strip().split("\\s+").length);
        }
        Matcher main = MAIN.matcher(name);
        if (("/" + name).contains("/src/test/")) {
            add("tests", name.endsWith(".java") ? lines(read(file), true) : 0);
        } else if (main.matches()) {
            countMain(file, main.group("module"), main.group("package"));
        } else if (name.endsWith(".c") || name.endsWith(".h")) {
            add("c", lines(read(file), true));
        } else if (("/" + name).contains("/src/") && !("/" + name).contains("/build") && isShell(file)) {
            add("shell", lines(read(file), false));
        }
    }

    private void countMain(Path file, String module, String folder) {
        int lines = lines(read(file), true);
        sizes.merge("file.lines", (int) read(file).lines().count(), Integer::max);
        add("long.methods", (int) METHOD.matcher(read(file))
                .results()
                .filter(method -> lines(method.group(2), true) > LONG_METHOD)
                .count());
        add("java", lines);
        add(
                module.equals("core/runtime") ? module + "/" + folder.substring(folder.lastIndexOf('/') + 1) : module,
                lines);
        if (module.equals("core/spi") && !file.endsWith("package-info.java")) {
            add("spi.types", (int) TYPE.matcher(NOT_CODE.matcher(read(file)).replaceAll(""))
                    .results()
                    .count());
        }
    }

    private static boolean isShell(Path file) {
        String name = file.getFileName().toString();
        return name.endsWith(".sh") || (name.equals("muster") && read(file).startsWith("#!"));
    }

    private void add(String key, int size) {
        sizes.merge(key, size, Integer::sum);
    }

    /** @param isJava or C, as opposed to shell */
    private static int lines(String content, boolean isJava) {
        int lines = 0;
        boolean isInComment = false;
        for (String line : content.lines().toList()) {
            String text = line.strip();
            if (isJava && (isInComment || text.startsWith("/*"))) {
                int end = text.indexOf("*/");
                isInComment = end < 0;
                text = end < 0 ? "" : text.substring(end + 2).strip();
            }
            if (!text.isEmpty() && !text.startsWith(isJava ? "//" : "#")) {
                lines++;
            }
        }
        return lines;
    }

    private static String read(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
