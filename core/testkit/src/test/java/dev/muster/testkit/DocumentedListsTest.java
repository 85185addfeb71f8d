package dev.muster.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The lists of packages, classes and decisions in the documentation are correct. */
@Tag(EngineConformance.ONE_JDK)
class DocumentedListsTest {

    private static final Path ROOT = Path.of("../..");
    private static final Path ROOMS = ROOT.resolve("core/runtime/src/main/java/dev/muster/runtime");
    private static final Pattern CLASS = Pattern.compile("\\{@code (\\w+)}");

    private static List<Path> in(Path directory) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.sorted().toList();
        }
    }

    @Test
    void whatATableOfARoomNamesIsInTheRoom() throws IOException {
        for (Path room : in(ROOMS)) {
            String page = Files.readString(room.resolve("package-info.java"));
            if (page.contains("<table>")) {
                String table = page.substring(page.indexOf("<table>"));
                assertThat(CLASS.matcher(table).results().map(found -> room.resolve(found.group(1) + ".java")))
                        .isNotEmpty()
                        .allSatisfy(file -> assertThat(file).isRegularFile());
            }
        }
    }

    @Test
    void everyRoomIsOnTheMap() throws IOException {
        String map = Files.readString(ROOT.resolve("CONTRIBUTING.md"));

        assertThat(in(ROOMS))
                .hasSizeGreaterThan(20)
                .allSatisfy(room -> assertThat(map).contains("`" + room.getFileName() + "`"));
    }

    @Test
    void everyDecisionIsInTheIndex() throws IOException {
        Path decisions = ROOT.resolve("docs/adr");
        String index = Files.readString(decisions.resolve("README.md"));

        for (Path page : in(decisions)) {
            String name = String.valueOf(page.getFileName());
            if (name.matches("\\d{4}-.*")) {
                String title = Files.readAllLines(page).get(0);
                assertThat(title).startsWith("# " + name.substring(0, 4) + ". ");
                assertThat(index).contains("(" + name + ")", title.substring("# 0000. ".length()));
            }
        }
    }
}
