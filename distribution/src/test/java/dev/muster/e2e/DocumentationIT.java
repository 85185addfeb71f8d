package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The documentation as a site, and its command lines for users of other launchers. */
@ExtendWith(Scenes.class)
class DocumentationIT {

    private static final Pattern ROW = Pattern.compile("(?m)^\\| `[^`]+`[^|]*\\| `(?:srun [^`]*?)?([^`]*)`");
    private static final Pattern VARIABLES = Pattern.compile("((?:\\w+=\\S+ )*)muster (.*)");
    private static final Pattern WORD = Pattern.compile("(?:[^\\s']|'[^']*')+");

    @Test
    @DisplayName("mkdocs build --strict: every page is in the navigation, every link and anchor leads somewhere")
    void theSiteIsBuilt(Scene scene) {
        Path site = scene.beside("site");
        Result result = scene.command(Components.requireMkDocs(), "-m", "mkdocs", "build", "--strict")
                .with("--site-dir", site.toString())
                .in(Product.project())
                .run();
        assertThat(result.exitCode()).as(result.toString()).isZero();
        assertThat(Scene.tree(site)).contains("index.html", "docs/coming-from.html", "docs/platforms/slurm.html");
        assertThat(Scene.read(site.resolve("search/search_index.json"))).contains("docs/stopping.html");
    }

    @Test
    @DisplayName("Muster plans every line of docs/coming-from.md, and no line has another launcher in it")
    void theLinesForUsersOfOtherLaunchersArePlanned(Scene scene) {
        Components.requireMpi();
        List<String> lines = ROW.matcher(Scene.read(Product.project().resolve("docs/coming-from.md")))
                .results()
                .map(row -> row.group(1))
                .toList();
        assertThat(lines).hasSizeGreaterThan(30);
        prepare(scene);
        for (String line : lines) {
            Result result = plan(scene, line).answer();
            assertThat(result.exitCode()).as("%s: %s", line, result).isZero();
            assertThat(result.messages()).as(line).doesNotContain("starts the ranks itself");
        }
    }

    private static Invocation plan(Scene scene, String line) {
        MatchResult parts = VARIABLES.matcher(line).results().findFirst().orElseThrow();
        Invocation plan = scene.muster("plan").set("PATH", scene.beside("bin") + ":" + Invocation.PATH);
        for (String variable : parts.group(1).split(" ", -1)) {
            if (!variable.isEmpty()) {
                plan.set(variable.replaceFirst("=.*", ""), variable.replaceFirst(".*?=", ""));
            }
        }
        if (line.contains("ascend") && !line.contains("--rank-table")) {
            String cards = line.contains("--cards 2") ? "2" : "8";
            plan.set(
                    "RANK_TABLE_FILE",
                    scene.directory().resolve("hccl_" + cards + "p.json").toString());
        }
        return plan.with(WORD.matcher(parts.group(2))
                .results()
                .map(word -> word.group().replace("'", ""))
                .toArray(String[]::new));
    }

    /** Makes the files that the lines name, an ssh key, and launchers that this machine may not have. */
    private static void prepare(Scene scene) {
        Scene.write(scene.directory().resolve("hccl_8p.json"), RankTables.oneServer(8));
        Scene.write(scene.directory().resolve("hccl_2p.json"), RankTables.oneServer(2));
        Scene.write(
                scene.directory().resolve("table.json"),
                RankTables.templateOne(
                        RankTables.server("10.0.0.1", "0 10.0.1.1"), RankTables.server("10.0.0.2", "0 10.0.1.2")));
        Scene.write(scene.directory().resolve("hosts"), "h1 slots=8\nh2 slots=8\n");
        scene.command("/bin/sh", "-c", "ssh-keygen -q -t ed25519 -N '' -f .ssh/id_ed25519")
                .after("mkdir -m 700 .ssh " + scene.beside("bin") + " && for name in torchrun horovodrun; do"
                        + " printf '#!/bin/sh\\n' > " + scene.beside("bin") + "/$name;"
                        + " chmod +x " + scene.beside("bin") + "/$name; done")
                .run()
                .endedWith(0);
    }
}
