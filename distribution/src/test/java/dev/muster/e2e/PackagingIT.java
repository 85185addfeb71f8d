package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.plugins.SpiVersion;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The package and the jar: moved, read-only, without Java, and their contents. */
@ExtendWith(Scenes.class)
class PackagingIT {

    /** Class files of Java 8, so that any Java since can say that it is too old. */
    private static final int JAVA_8 = 52;

    @OnEveryJdk
    void aMovedReadOnlyPackageOfAnotherUserStillUsesItsClassData(Scene scene) {
        Components.requireRoot();
        Components.require("setpriv", "tar");
        Path home = unpacked(scene, "another place");
        String rank = scene.script("rank", ": > $scene/ready", "until [ -e $scene/go ]; do sleep 0.02; done");
        scene.command("chown", "-R", "1000:100", scene.directory().toString())
                .run()
                .endedWith(0);
        scene.command("chmod", "777", scene.beside("").toString()).run().endedWith(0);
        String[] otherUser = {"setpriv", "--reuid", "1000", "--regid", "100", "--clear-groups"};
        Launched launcher = scene.command(Product.startScript(home).toString(), "--engine", "ascend")
                .with("--platform", "none", "--job-id", scene.jobId(), "--rank-table", oneCard(scene), "--", rank)
                .behind(otherUser)
                .start();
        scene.awaitFiles("ready");
        // Even root may not be allowed to read this file.
        Result maps = scene.command("cat", "/proc/" + launcher.jvm() + "/maps")
                .behind(otherUser)
                .run();
        List<String> data = mappedFiles(maps.output()).stream()
                .filter(file -> file.startsWith(home + "/lib/cds/"))
                .toList();
        assertThat(data).as("class data in memory").hasSize(1);
        Scene.write(scene.beside("go"), "");
        launcher.await().endedWith(0);
        holdsTheLaunchersOwnClasses(scene, home.resolve("lib"), data.get(0));
    }

    /** Asserts that the class data holds the launcher's classes. In a build folder with an unusual name it once held only the JDK's. */
    private static void holdsTheLaunchersOwnClasses(Scene scene, Path lib, String data) {
        String option = data.endsWith(".aot") ? "-XX:AOTCache=" : "-XX:SharedArchiveFile=";
        Result loaded = scene.command(
                        scene.jdk().java().toString(), "-XX:+UseSerialGC", option + data, "-Xlog:class+load")
                .with("-cp", "muster.jar", "dev.muster.Start", "--version")
                .in(lib)
                .run();
        assertThat(loaded.output()).contains("dev.muster.runtime.app.Main source: shared objects file");
    }

    @DisplayName("the pages that help names are in the package")
    @Test
    void helpNamesPagesThatAreThere(Scene scene) {
        String help = scene.muster("launch", "--help").answer().endedWith(0).output();
        List<String> pages = Pattern.compile("docs/[a-z-]+\\.md")
                .matcher(help)
                .results()
                .map(MatchResult::group)
                .toList();
        assertThat(pages)
                .isNotEmpty()
                .allSatisfy(page -> assertThat(Product.home().resolve(page)).exists());
    }

    @DisplayName("links between the pages of the package lead to files that are there")
    @Test
    void pagesLinkToWhatIsThere() throws IOException {
        Pattern link = Pattern.compile("]\\((?!https?:|#)([^)#]+)");
        try (Stream<Path> files = Files.walk(Product.home().resolve("docs"))) {
            assertThat(files.filter(file -> file.toString().endsWith(".md")))
                    .isNotEmpty()
                    .allSatisfy(page -> assertThat(
                                    link.matcher(Files.readString(page)).results())
                            .allSatisfy(to ->
                                    assertThat(page.resolveSibling(to.group(1))).exists()));
        }
    }

    private static String oneCard(Scene scene) {
        Scene.write(scene.beside("table.json"), RankTables.oneServer(1));
        return scene.beside("table.json").toString();
    }

    private static List<String> mappedFiles(String maps) {
        return maps.lines()
                .filter(line -> line.indexOf('/') > 0)
                .map(line -> line.substring(line.indexOf('/')))
                .distinct()
                .toList();
    }

    /** The archive, unpacked into a directory whose name has a space, and made read-only. */
    private static Path unpacked(Scene scene, String name) {
        Path place = scene.beside(name);
        assertThat(place.toFile().mkdir()).isTrue();
        scene.command("tar", "-xzf", Product.archive(Product.home()).toString(), "-C", place.toString())
                .run()
                .endedWith(0);
        scene.command("chmod", "-R", "a-w", place.toString()).run().endedWith(0);
        String[] tops = place.toFile().list();
        assertThat(tops).as("one directory in the archive").hasSize(1);
        return place.resolve(tops[0]);
    }

    /** The package as it is in the archive, to be changed. */
    private static Path copied(Scene scene) {
        Path home = scene.beside("package");
        scene.command("cp", "-a", Product.home().toString(), home.toString())
                .run()
                .endedWith(0);
        return home;
    }

    @OnEveryJdk
    void withoutClassDataTheLauncherWorksAndTheJvmIsSilent(Scene scene) {
        Path home = copied(scene);
        Scene.remove(home.resolve("lib/cds"));
        checkWorks(scene, home);
    }

    @OnEveryJdk
    void brokenClassDataIsNoReasonToTalk(Scene scene) throws IOException {
        Path home = copied(scene);
        String spoil = "for file in lib/cds/*; do head -c 5000 /dev/urandom > \"$file\"; done";
        scene.command("/bin/sh", "-c", spoil).in(home).run().endedWith(0);
        checkWorks(scene, home);
        scene.command(Product.startScript(home).toString(), "ps").run().endedWith(0);
        Files.delete(home.resolve("lib/muster.jar"));
        scene.command(Product.startScript(home).toString(), "--version")
                .run()
                .endedWith(69)
                .says("lacks muster.jar");
    }

    @OnEveryJdk
    @DisplayName("a deleted working directory keeps its name, and the package does not replace it")
    void aDeletedDirectoryKeepsItsName(Scene scene) {
        Path gone = scene.beside("gone");
        Invocation plan = scene.muster("plan", "--engine", "pytorch-gpu", "--platform", "none")
                .with("--cards", "1", "-o", "processes=per-card", "--", "true")
                .after("mkdir " + gone + " && cd " + gone + " && rmdir " + gone);
        // Here bash prints a line of its own, so endedWith does not fit.
        assertThat(plan.run().output())
                .contains(gone + "/muster-logs")
                .doesNotContain(Product.home().toString());
        Result refused = scene.muster("plan", "--engine", "pytorch-gpu", "--", "true")
                .after("mkdir " + gone + " && cd " + gone + " && rmdir " + gone + " && unset PWD")
                .run();
        assertThat(refused.exitCode()).isEqualTo(78);
        assertThat(refused.messages()).contains("muster: exit 78: the working directory was deleted");
    }

    @OnEveryJdk
    @Tag("repeated")
    @DisplayName("a truncated jar is named in one sentence that says what to do")
    void aJarThatWasCutOffIsNamed(Scene scene) throws IOException {
        Path home = copied(scene);
        Path jar = home.resolve("lib/muster.jar");
        FileTime time = Files.getLastModifiedTime(jar);
        for (String size : List.of("5000000", "100")) {
            scene.command("truncate", "-s", size, jar.toString()).run().endedWith(0);
            for (FileTime other : List.of(FileTime.from(Instant.now()), time)) {
                Files.setLastModifiedTime(jar, other);
                for (String command : scene.jdk().share(List.of("--version", "ps"))) {
                    Result result = scene.command(Product.startScript(home).toString(), command)
                            .run()
                            .endedWith(69)
                            .says(jar + " is damaged", "Install the package again");
                    assertThat(result.messages().lines()).hasSize(1);
                }
            }
        }
    }

    @OnEveryJdk
    @DisplayName("a replaced jar runs its own code, also if it is older, or has the same time and size")
    void classDataOfAnotherJarIsNotUsed(Scene scene) throws IOException {
        Path home = copied(scene);
        Path jar = home.resolve("lib/muster.jar");
        FileTime time = Files.getLastModifiedTime(jar);
        long size = Files.size(jar);
        Files.write(jar, OtherJar.BYTES);
        assertThat(Files.size(jar)).isEqualTo(size);
        for (FileTime other :
                List.of(FileTime.from(Instant.now()), FileTime.from(Instant.EPOCH.plusSeconds(1_000_000_000)), time)) {
            Files.setLastModifiedTime(jar, other);
            Result result = scene.command(Product.startScript(home).toString(), "--version")
                    .run()
                    .endedWith(0);
            assertThat(result.output()).as("time %s", other).contains(", NEW ");
            assertThat(result.messages()).isEmpty();
        }
    }

    /** A jar of the same size as ours that prints another version line. It is made once for all JDKs. */
    private static final class OtherJar {
        static final byte[] BYTES =
                exchanged(Product.jar(), "dev/muster/runtime/cli/HelpPages.class", ", SPI ", ", NEW ");
    }

    /** A copy of a jar, of the same size, in which one text of a class is replaced by another of the same length. */
    private static byte[] exchanged(Path jar, String entry, String from, String to) {
        ByteArrayOutputStream made = new ByteArrayOutputStream();
        try (ZipFile old = new ZipFile(jar.toFile());
                ZipOutputStream file = new ZipOutputStream(made)) {
            file.setLevel(Deflater.BEST_COMPRESSION);
            for (ZipEntry each : Collections.list(old.entries())) {
                byte[] content = old.getInputStream(each).readAllBytes();
                ZipEntry copy = new ZipEntry(each.getName());
                copy.setTimeLocal(each.getTimeLocal());
                file.putNextEntry(copy);
                file.write(each.getName().equals(entry) ? exchanged(content, from, to) : content);
                file.closeEntry();
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        long missing = jar.toFile().length() - made.size();
        assertThat(missing).as("bytes that a comment can fill").isBetween(0L, 65535L);
        return withComment(made.toByteArray(), (int) missing);
    }

    private static byte[] exchanged(byte[] content, String from, String to) {
        String text = new String(content, StandardCharsets.ISO_8859_1);
        assertThat(text).contains(from).hasSameSizeAs(text.replace(from, to));
        return text.replace(from, to).getBytes(StandardCharsets.ISO_8859_1);
    }

    /** A jar ends with the length of its comment and the comment. */
    private static byte[] withComment(byte[] jar, int length) {
        byte[] longer = Arrays.copyOf(jar, jar.length + length);
        longer[jar.length - 2] = (byte) length;
        longer[jar.length - 1] = (byte) (length >> 8);
        return longer;
    }

    private static void checkWorks(Scene scene, Path home) {
        Result result = scene.command(Product.startScript(home).toString(), "--engine", "ascend", "--platform", "none")
                .with("--rank-table", oneCard(scene), "--", "/bin/true")
                .run()
                .endedWith(0);
        assertThat(result.output()).isEmpty();
        assertThat(result.messages().lines()).allMatch(line -> line.startsWith("muster: "));
    }

    @Test
    void theStartScriptWorksThroughALinkAndFromAnyDirectory(Scene scene) throws IOException {
        Files.createSymbolicLink(scene.directory().resolve("muster"), Product.startScript(Product.home()));
        scene.command("./muster", "--version").run().endedWith(0);
        scene.command("/bin/sh", "-c", "muster --version")
                .set("PATH", scene.directory() + ":" + Invocation.PATH)
                .run()
                .endedWith(0);
    }

    @OnEveryJdk
    void withoutJavaHomeTheJavaInThePathIsUsed(Scene scene) {
        Result result = scene.muster("--version")
                .unset("JAVA_HOME")
                .set("PATH", scene.jdk().home().resolve("bin") + ":" + Invocation.PATH)
                .run()
                .endedWith(0);
        assertThat(result.output()).contains(Integer.toString(scene.jdk().feature()));
    }

    @Test
    void withoutJavaOneLineSaysWhatToInstall(Scene scene) {
        Path programs = scene.beside("programs");
        assertThat(programs.toFile().mkdir()).isTrue();
        Result result = scene.generic()
                .muster("--engine", "ascend", "--", "/bin/true")
                .unset("JAVA_HOME")
                .set("PATH", programs.toString())
                .run()
                .endedWith(69)
                .says("Java 17", "install", "JAVA_HOME");
        assertThat(result.messages().lines()).hasSize(1);
        assertThat(result.output()).isEmpty();
    }

    @Test
    void anOldJavaIsNamedInOneLine(Scene scene) throws IOException {
        Path old = scene.beside("old");
        Files.createDirectories(old.resolve("bin"));
        scene.script("old/bin/java", "echo this java must not be started", "exit 1");
        Scene.write(old.resolve("release"), "JAVA_VERSION=\"11.0.2\"\nIMPLEMENTOR=\"Nobody\"\n");
        Result result = scene.generic()
                .muster("--version")
                .set("JAVA_HOME", old.toString())
                .set("PATH", old.resolve("bin").toString())
                .run()
                .endedWith(69)
                .says("Java 17", "11.0.2");
        assertThat(result.messages().lines()).hasSize(1);
        assertThat(result.output()).isEmpty();
    }

    @Test
    void theFirstClassRunsOnJava8(Scene scene) throws IOException {
        try (JarFile jar = new JarFile(Product.jar().toFile())) {
            String main = jar.getManifest().getMainAttributes().getValue(Attributes.Name.MAIN_CLASS);
            ZipEntry entry = jar.getEntry(main.replace('.', '/') + ".class");
            try (DataInputStream file = new DataInputStream(jar.getInputStream(entry))) {
                assertThat(file.readInt()).isEqualTo(0xCAFEBABE);
                file.readUnsignedShort();
                assertThat(file.readUnsignedShort()).isLessThanOrEqualTo(JAVA_8);
            }
        }
    }

    @Test
    void theManifestNamesVersions(Scene scene) throws IOException {
        try (JarFile jar = new JarFile(Product.jar().toFile())) {
            Attributes attributes = jar.getManifest().getMainAttributes();
            assertThat(attributes.getValue(Attributes.Name.IMPLEMENTATION_VERSION))
                    .isNotBlank();
            assertThat(attributes.getValue("Muster-Spi-Version")).isEqualTo(SpiVersion.ours());
        }
    }

    @Test
    void theServiceFilesNameEveryEngine(Scene scene) throws IOException {
        try (JarFile jar = new JarFile(Product.jar().toFile())) {
            ZipEntry services = jar.getEntry("META-INF/services/dev.muster.spi.Engine");
            assertThat(services).isNotNull();
            try (InputStream file = jar.getInputStream(services)) {
                String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
                assertThat(text).contains("dev.muster.engine.ascend.AscendEngine");
            }
        }
    }

    @Test
    void theJarCarriesNoTraceOfItsBuild(Scene scene) throws IOException {
        List<String> names = new ArrayList<>();
        Set<Object> times = new HashSet<>();
        try (JarFile jar = new JarFile(Product.jar().toFile())) {
            for (JarEntry entry : Collections.list(jar.entries())) {
                names.add(entry.getName());
                // Classes of dependencies keep the times that they were published with.
                if (entry.getName().startsWith("dev/muster/")) {
                    times.add(entry.getTimeLocal());
                }
            }
        }
        assertThat(names).doesNotHaveDuplicates();
        assertThat(times).as("times of the product's own classes").hasSize(1);
    }

    @Test
    void onlyTheProgramAndTheClassDataAreBoundToOneArchitecture(Scene scene) throws IOException {
        for (String name : Scene.tree(Product.home())) {
            Path file = Product.home().resolve(name);
            if (Files.isRegularFile(file) && !name.startsWith("lib/cds/")) {
                byte[] start;
                try (InputStream in = Files.newInputStream(file)) {
                    start = in.readNBytes(4);
                }
                assertThat(new String(start, StandardCharsets.ISO_8859_1).equals("\u007fELF"))
                        .as(name)
                        .isEqualTo(name.equals("bin/muster"));
            }
        }
    }

    @Test
    void theProgramOfThePackageIsInTheJarToo(Scene scene) throws IOException {
        try (JarFile jar = new JarFile(Product.jar().toFile())) {
            ZipEntry program = jar.getEntry("dev/muster/native/" + Product.architecture() + "/muster");
            assertThat(program).isNotNull();
            try (InputStream file = jar.getInputStream(program)) {
                assertThat(file.readAllBytes()).isEqualTo(Files.readAllBytes(Product.startScript(Product.home())));
            }
        }
    }
}
