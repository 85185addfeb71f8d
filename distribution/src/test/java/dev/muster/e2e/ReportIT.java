package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The report page of a job in a browser. */
@ExtendWith(Scenes.class)
class ReportIT {

    /** The lowest contrast between a text and its background. The accessibility guidelines demand 4.5. */
    private static final String CONTRAST = """
            (() => {
              const light = color => { const part = color.match(/[\\d.]+/g).map(Number).slice(0, 3).map(c => c / 255)
                .map(c => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4); return 0.2126 * part[0] + 0.7152 * part[1] + 0.0722 * part[2] };
              const behind = node => { for (; node; node = node.parentElement) { const color = getComputedStyle(node).backgroundColor;
                if (!color.startsWith('rgba(0, 0, 0, 0')) return color } return 'rgb(255, 255, 255)' };
              return Math.min(...[...document.querySelectorAll('h1,h2,p,dt,dd,td,th,pre,button:enabled,.pill,summary,footer,label')]
                .filter(node => node.checkVisibility() && node.textContent).map(node => {
                const [a, b] = [light(getComputedStyle(node).color), light(behind(node))].sort((x, y) => y - x); return (a + 0.05) / (b + 0.05) }));
            })()""";

    /** Elements that are wider than the window and do not scroll by themselves. */
    private static final String WIDTH = "document.documentElement.scrollWidth - document.documentElement.clientWidth";

    private static Path page(Scene scene) {
        return scene.logs().resolve(scene.jobId() + "-node-0-report.html");
    }

    @Test
    @DisplayName(
            "a job that fails leaves a page, one that succeeds only with --report always; the result has memory and CPU time")
    void whenThereIsOne(Scene scene) throws IOException {
        scene.job(2).with("true").run().endedWith(0);
        scene.job(2, "--report", "off").with("false").run().endedWith(1);
        assertThat(page(scene)).doesNotExist();

        scene.job(2)
                .with("sh", "-c", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; exit 3")
                .run()
                .endedWith(3)
                .says("report: " + page(scene));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(page(scene))))
                .isEqualTo("rw-r-----");
        JsonNode rank =
                Json.parse(Scene.read(scene.resultFile())).get("processes").get(0);
        assertThat(rank.get("peakMemoryBytes").asLong()).isBetween(100_000L, 1L << 30);
        assertThat(rank.get("userCpuMs").asLong() + rank.get("systemCpuMs").asLong())
                .isBetween(1L, 60_000L);

        scene.job(2, "--report", "always").with("true").run().endedWith(0);
        assertThat(page(scene).resolveSibling(scene.jobId() + "-node-0-report.1.html"))
                .exists();
    }

    @Test
    @DisplayName("a page that cannot be written is a warning, and changes no exit code")
    void whereItCannotBeWritten(Scene scene) throws IOException {
        Files.createDirectories(page(scene));
        Result result = scene.job(2).with("sh", "-c", "exit 5").run().endedWith(5);
        assertThat(result.messages())
                .containsOnlyOnce("no report: cannot write")
                .doesNotContain(" report: /");
        assertThat(scene.resultFile()).exists();
        assertThat(Scene.tree(scene.logs())).noneMatch(name -> name.startsWith("."));
    }

    @Test
    @DisplayName("the leader's page has the ranks of all nodes, with their memory")
    void theLeaderKnowsAllRanks(Scene scene) throws IOException {
        scene.muster("simulate", "--engine", "pytorch-gpu", "--nodes", "2", "--cards", "1", "--job-id", "two")
                .with("--log-dir", scene.beside("logs").toString(), "--", "sh", "-c", "exit 6")
                .run();
        Path page = Scene.tree(scene.beside("")).stream()
                .filter(name -> name.endsWith("two-node-0-report.html"))
                .map(scene.beside("")::resolve)
                .findFirst()
                .orElseThrow();
        String data = Scene.read(page).replaceFirst("(?s).*id=\"data\">", "").replaceFirst("(?s)</script>.*", "");
        JsonNode nodes = Json.parse(data).at("/result/nodes");
        assertThat(nodes).hasSize(2);
        assertThat(nodes.at("/1/processes/0/rank").asInt()).isEqualTo(1);
        assertThat(nodes.at("/1/processes/0/peakMemoryBytes").asLong()).isBetween(100_000L, 1L << 30);
    }

    @ParameterizedTest(name = "dark: {0}")
    @ValueSource(booleans = {false, true})
    @DisplayName("the page shows output as text, masks secrets, makes no network request, and is accessible")
    void aRealFailureInABrowser(boolean isDark, Scene scene) throws IOException {
        try (Browser browser = Browser.start(scene.beside("browser"))) {
            runHostileJob(scene);
            browser.open(page(scene), isDark);

            assertThat(browser.problems()).isEmpty();
            assertThat(browser.requests()).isEmpty();
            assertThat(browser.evaluate("document.title")).isEqualTo(scene.jobId() + ": exit 3 - Muster");
            assertThat(browser.text())
                    .contains("First failure", "KeyError: 'é </script>'", "attempt 2 began", "Peak memory", "CPU time")
                    .contains("MUSTER_GRACE", "--restarts", "******")
                    .doesNotContain("geheim");
            assertThat(browser.evaluate("[...document.querySelectorAll('h1,h2')].map(node => node.tagName).join(' ')"))
                    .startsWith("H1 H2 H2")
                    .doesNotContain("H2 H1");
            assertThat(Double.parseDouble(browser.evaluate(CONTRAST))).isGreaterThanOrEqualTo(4.5);
            assertThat(browser.evaluate("getComputedStyle(document.body).backgroundColor"))
                    .isEqualTo(isDark ? "rgb(14, 17, 22)" : "rgb(244, 246, 248)");
            readLines(browser);
            copy(browser, scene);
        }
    }

    /** Rank 0 fails in both attempts. Its output has bytes that are no text, ends HTML elements, and contains a secret. */
    private static void runHostileJob(Scene scene) {
        String rank = scene.script(
                "rank",
                "if [ $me = 0 ]; then",
                "  printf '\\377\\376 \\033[31mred\\033[0m \\342\\200\\250 \\342\\200\\256 <img src=\"http://192.0.2.1/x\" onerror=\"document.title=1\">\\n'",
                "  echo \"<!-- <script>\"; echo \"token $HF_TOKEN\"; printf 'a\\000b\\n'",
                "  printf 'Traceback (most recent call last):\\n  File \"t.py\", line 1\\nKeyError: '\\''é </script>'\\''\\n'",
                "  exit 3",
                "fi",
                "exec sleep 100");
        scene.job(2, "--restarts", "1")
                .with(rank, "--password", "geheim02")
                .set("HF_TOKEN", "geheim0123456789")
                .set("MUSTER_GRACE", "3s")
                .run()
                .endedWith(3);
    }

    /** Opens the last lines of a rank by keyboard. */
    private static void readLines(Browser browser) {
        String button = "document.querySelector('#ranks tbody button')";
        browser.evaluate(button + ".focus()");
        assertThat(browser.evaluate(button + ".getAttribute('aria-expanded')")).isEqualTo("false");
        browser.press("Enter", 13, "\r");
        assertThat(browser.evaluate(button + ".getAttribute('aria-expanded')")).isEqualTo("true");
        assertThat(browser.evaluate("document.querySelector('#ranks pre').innerText"))
                .contains(
                        "red",
                        "<img src=\"http://192.0.2.1/x\"",
                        "<!-- <script>",
                        "token ******",
                        "a\\u0000b",
                        "\\u2028");
        assertThat(browser.evaluate("document.images.length")).isEqualTo("0");
    }

    private static void copy(Browser browser, Scene scene) {
        browser.evaluate("document.getElementById('copy').focus()");
        browser.press("Enter", 13, "\r");
        Await.until("the copy", () -> browser.text().contains("Copied."));
        assertThat(browser.evaluate("navigator.clipboard.readText()"))
                .startsWith("Muster job " + scene.jobId() + ": exit 3 (failure)")
                .contains("Last words of rank 0:", "  | KeyError: 'é </script>'", "grace = 3s (MUSTER_GRACE)")
                .doesNotContain("geheim");
    }

    @Test
    @DisplayName("a page of 1,000 ranks on 125 nodes shows some at a time, and finds each")
    void aThousandRanks(Scene scene) throws IOException {
        try (Browser browser = Browser.start(scene.beside("browser"))) {
            Path page = LargeJob.write(scene.directory());
            assertThat(Files.size(page)).isLessThan(2L << 20);
            browser.open(page, false);

            assertThat(browser.problems()).isEmpty();
            assertThat(browser.text())
                    .contains("1000 processes: 1 failed first, 999 stopped", "1 to 50 of 1000", "1 to 10 of 125");
            assertThat(browser.evaluate("document.querySelectorAll('*').length < 3000"))
                    .isEqualTo("true");
            assertThat(Integer.parseInt(browser.evaluate(WIDTH))).isZero();
            assertThat(browser.evaluate("document.querySelector('#ranks tbody th').innerText"))
                    .isEqualTo("rank 3");
            browser.evaluate("document.getElementById('ranks-find').focus()");
            browser.type("node-124");
            assertThat(browser.evaluate("document.querySelector('#ranks [role=status]').innerText"))
                    .isEqualTo("1 to 8 of 8");
            assertThat(browser.evaluate("document.querySelector('#ranks tbody').innerText"))
                    .contains("rank 999");
        }
    }
}
