package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The package with its own Java, on a machine that has none. */
@ExtendWith(Scenes.class)
class OwnJavaPackageIT {

    private static final String INTERPRETER = "/lib64/ld-linux-x86-64.so.2";
    private static final Pattern GLIBC = Pattern.compile("GLIBC_2\\.(\\d+)");
    private static final int OLDEST_GLIBC = 17;

    @BeforeEach
    void isThere() {
        assumeTrue(Files.isDirectory(Product.withJava()), "the build found no JDK to link from");
    }

    @Test
    @DisplayName("class data is used in a package that is moved, read-only, copied without times, or of another user")
    void classDataIsUsedAfterEveryKindOfCopy(Scene scene) {
        Components.requireRoot();
        Components.require("setpriv", "tar");
        Path unpacked = scene.beside("read only");
        scene.command("mkdir", unpacked.toString()).run().endedWith(0);
        scene.command("tar", "-xzf", Product.archive(Product.withJava()).toString(), "-C", unpacked.toString())
                .with("--strip-components=1")
                .run()
                .endedWith(0);
        Path copy = scene.beside("copy");
        scene.command("cp", "-r", unpacked.toString(), copy.toString()).run().endedWith(0);
        Path moved = scene.beside("moved");
        scene.command("/bin/sh", "-c", "chmod -R a-w \"$0\"; mv \"$1\" \"$2\"; find \"$2\" -exec touch {} +")
                .with(unpacked.toString(), copy.toString(), moved.toString())
                .run()
                .endedWith(0);
        for (Path home : List.of(unpacked, moved)) {
            assertThat(requiringClassData(scene, home).run().endedWith(0).output())
                    .startsWith("muster ");
        }
        scene.command("chmod", "755", scene.beside("").toString()).run().endedWith(0);
        requiringClassData(scene, unpacked)
                .behind("setpriv", "--reuid", "1000", "--regid", "100", "--clear-groups")
                .run()
                .endedWith(0);
        scene.command("truncate", "-s", "100000", moved + "/jre/lib/muster.aot")
                .run()
                .endedWith(0);
        assertThat(requiringClassData(scene, moved).run().exitCode()).isNotZero();
    }

    /** Starts the launcher as {@code bin/muster} does, with a flag that ends a JVM that cannot use its class data. */
    private static Invocation requiringClassData(Scene scene, Path home) {
        return withoutJava(scene.command(home + "/jre/bin/java", "@jvm.options", "-XX:AOTMode=on"))
                .with("@own-java.options", "--version")
                .in(home.resolve("lib"));
    }

    private static Invocation withoutJava(Invocation command) {
        return command.unset("JAVA_HOME").set("PATH", "/nowhere");
    }

    @Test
    void jobsAndPluginsRunWithoutAnotherJava(Scene scene) {
        PluginHome home = new PluginHome(scene, Product.withJava())
                .declared("hostile/hostile.jar", "hostile")
                .platform("cloud/cloud.jar", "cloud", "CLOUD_HOSTS, CLOUD_JOB_*");
        String[] job = {"--platform", "none", "--job-id", scene.jobId(), "--", "/bin/true"};
        withoutJava(home.muster("--engine", "hostile").with(job)).run().endedWith(0);
        withoutJava(home.muster("--engine", "pytorch-gpu").with(job)).run().endedWith(0);
        assertThat(withoutJava(home.muster("engines")).run().output())
                .contains("hostile", "ascend", "mpi", "pytorch-gpu", "tensorflow-ps");
        assertThat(withoutJava(home.muster("platforms")).run().output()).contains("cloud", "modelarts");
    }

    @Test
    void thePackageNeedsAnOldGlibcAndHasNoLinks(Scene scene) throws IOException {
        List<String> tooNew = new ArrayList<>();
        for (String name : Scene.tree(Product.withJava())) {
            Path file = Product.withJava().resolve(name);
            assertThat(Files.isSymbolicLink(file)).as(name).isFalse();
            String content = name.contains(".so") || name.contains("bin/")
                    ? Files.readString(file, StandardCharsets.ISO_8859_1)
                    : "";
            GLIBC.matcher(content)
                    .results()
                    .filter(found -> Integer.parseInt(found.group(1)) > OLDEST_GLIBC)
                    .forEach(found -> tooNew.add(name + " needs " + found.group()));
        }
        assertThat(tooNew).isEmpty();
    }

    @Test
    void anotherJavaIsNeverTaken(Scene scene) {
        Path home = scene.beside("package");
        Path elsewhere = scene.beside("a:b");
        scene.command("cp", "-r", Product.withJava().toString(), home.toString())
                .run()
                .endedWith(0);
        scene.command("chmod", "-x", home + "/jre/bin/java").run().endedWith(0);
        version(scene, home).says(home + "/jre/bin/java: Permission denied. Install the package again");
        scene.command("mv", home.toString(), elsewhere.toString()).run().endedWith(0);
        version(scene, elsewhere).says(elsewhere + ": no Java runs in a path with a colon");
    }

    private static Result version(Scene scene, Path home) {
        return scene.command(Product.startScript(home).toString(), "--version")
                .set(
                        "JAVA_HOME",
                        scene.jdk().java().resolve("../..").normalize().toString())
                .run()
                .endedWith(69);
    }

    @Test
    @DisplayName("where there is no glibc, as on Alpine, one sentence names the generic package")
    void withoutGlibcTheGenericPackageIsNamed(Scene scene) throws IOException {
        Path home = scene.beside("package");
        scene.command("cp", "-r", Product.withJava().toString(), home.toString())
                .run()
                .endedWith(0);
        Path java = home.resolve("jre/bin/java");
        String content = Files.readString(java, StandardCharsets.ISO_8859_1);
        assumeTrue(content.contains(INTERPRETER), "another architecture");
        Files.writeString(
                java, content.replace(INTERPRETER, "/lib64/ld-other-x86-64.so.2"), StandardCharsets.ISO_8859_1);
        for (String command : List.of("--version", "ps")) {
            Result result = scene.command(Product.startScript(home).toString(), command)
                    .run()
                    .endedWith(69)
                    .says("needs glibc 2.17 or newer, not musl", "generic package");
            assertThat(result.messages().lines()).hasSize(1);
        }
    }
}
