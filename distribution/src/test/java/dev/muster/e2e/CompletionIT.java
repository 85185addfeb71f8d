package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The package's completion in real shells, and its manual in man, groff and mandoc. */
@ExtendWith(Scenes.class)
class CompletionIT {

    private static final Path SHARE = Product.home().resolve("share");

    /** What the user types, with ^ for a tab, and the words that the launcher gets. */
    private static final List<List<String>> TYPED = List.of(
            List.of(
                    "simu^--cards^4 --eng^asc^--rank-ta^config^-- x",
                    "simulate --cards 4 --engine ascend --rank-table config.json -- x"),
            List.of("--engine=mp^--slo^2 --bind=nu^", "--engine=mpi --slots 2 --bind=numa"),
            List.of("--engine pytorch-gpu -o proc^per-c^", "--engine pytorch-gpu -o processes=per-card"),
            List.of("manif^--platform volc^--log-dir lo^", "manifest --platform volcano --log-dir logs"),
            List.of("--engine mpi -- ./config^--rank-ta^", "--engine mpi -- ./config.json --rank-ta"),
            List.of("stop --us^me --color=al^", "stop --user me --color=always"),
            List.of("help sto^", "help stop"),
            List.of("completion fi^", "completion fish"));

    /** What fish offers for the last word of a line. */
    private static final List<List<String>> OFFERED = List.of(
            List.of("muster simu", "simulate"),
            List.of("muster simulate --engine ascend --rank-t", "--rank-table"),
            List.of("muster --engine=mpi --slo", "--slots"),
            List.of("muster --engine as", "ascend"),
            List.of("muster --bind=nu", "--bind=numa"),
            List.of("muster --engine pytorch-gpu -o proc", "processes="),
            List.of("muster --engine pytorch-gpu -o processes=per-c", "processes=per-card"),
            List.of("muster manifest --platform volc", "volcano"),
            List.of("muster plan --log-dir lo", "logs/"),
            List.of("muster plan --config conf", "config.json"),
            List.of("muster --engine mpi -- cat conf", "config.json"),
            List.of("muster --engine mpi -- ./conf", "./config.json"),
            List.of("muster help sto", "stop"),
            List.of("muster completion fi", "fish"));

    @Test
    @DisplayName(
            "a tab in bash completes commands, options, engines, platforms, values, files and what the program takes")
    void bashCompletes(Scene scene) {
        Components.require("bash");
        completes(scene, "bash", ". " + SHARE.resolve("bash-completion/completions/muster"), "--rcfile");
    }

    @Test
    void zshCompletesTheSame(Scene scene) {
        Components.require("zsh");
        completes(
                scene,
                "zsh",
                "fpath=(" + SHARE.resolve("zsh/site-functions") + " $fpath)\nautoload -Uz compinit\ncompinit -u",
                "-d");
    }

    private static void completes(Scene scene, String shell, String setUp, String option) {
        prepare(scene);
        Path out = scene.beside("words");
        // A shell is ready when it asks for the first command. zsh finds its start file by name, bash by the option.
        String ready = ": > " + scene.beside("ready") + "; ";
        Scene.write(
                scene.beside(".zshrc"),
                setUp + "\nmuster() { printf '%s ' \"$@\" >> " + out + "; echo >> " + out + "; }\n"
                        + (shell.equals("zsh") ? "precmd() { " + ready + "}\n" : "PROMPT_COMMAND='" + ready + "'\n"));
        StringBuilder keys = new StringBuilder();
        TYPED.forEach(line ->
                keys.append("muster ").append(line.get(0).replace('^', '\t')).append('\n'));
        Invocation call = scene.command("/usr/bin/" + shell, option);
        Invocation interactive = shell.equals("zsh")
                ? call.with("-i")
                : call.with(scene.beside(".zshrc").toString(), "--noprofile", "-i");
        Terminal.around(scene, interactive, keys + "exit\n", "ready")
                .set("ZDOTDIR", scene.beside("").toString())
                .set("TERM", "xterm")
                .run();
        assertThat(Scene.read(out).lines().map(line -> line.strip().replaceFirst("/$", "")))
                .containsExactlyElementsOf(
                        TYPED.stream().map(line -> line.get(1)).toList());
    }

    @Test
    void fishCompletesTheSame(Scene scene) {
        Components.require("fish");
        prepare(scene);
        StringBuilder script = new StringBuilder("source " + SHARE.resolve("fish/vendor_completions.d/muster.fish"));
        OFFERED.forEach(
                line -> script.append("\necho (complete -C '" + line.get(0) + "' | string replace -r '\\t.*' '')"));
        Result result = scene.command("fish", "-c", script.toString()).run().endedWith(0);
        assertThat(result.outputLines())
                .containsExactlyElementsOf(
                        OFFERED.stream().map(line -> line.get(1)).toList());
    }

    private static void prepare(Scene scene) {
        Scene.write(scene.directory().resolve("config.json"), "{}");
        scene.directory().resolve("config.json").toFile().setExecutable(true);
        assertThat(scene.directory().resolve("logs").toFile().mkdir()).isTrue();
        Scene.write(scene.directory().resolve("log.txt"), "");
    }

    @Test
    @DisplayName("muster completion SHELL prints the file of the package, and names the shells for any other word")
    void theCommandPrintsTheFile(Scene scene) {
        assertThat(scene.muster("completion", "bash").answer().endedWith(0).output())
                .isEqualTo(Scene.read(SHARE.resolve("bash-completion/completions/muster")));
        scene.muster("completion", "csh").answer().endedWith(64).says("bash, zsh or fish");
    }

    @Test
    @DisplayName("man, groff and mandoc read every page of the manual without a warning")
    void theManualIsWellFormed(Scene scene) throws IOException {
        Components.require("man", "groff", "mandoc");
        List<String> pages;
        try (Stream<Path> files = Files.list(SHARE.resolve("man/man1"))) {
            pages = files.map(Path::toString).sorted().toList();
        }
        assertThat(pages).anyMatch(page -> page.endsWith("/muster-stop.1")).hasSizeGreaterThan(8);
        String script = "for page; do man --warnings -l -Tutf8 -Z \"$page\" > rendered && groff -man -ww -z \"$page\""
                + " && mandoc -T lint \"$page\" && test -s rendered || exit; done";
        Result result = scene.command("/bin/sh", "-c", script, "sh")
                .with(pages.toArray(new String[0]))
                .run()
                .endedWith(0);
        assertThat(result.output() + result.messages()).isEmpty();
    }
}
