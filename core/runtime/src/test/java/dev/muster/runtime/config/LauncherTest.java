package dev.muster.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LauncherTest {

    private static final Path JAVA = Path.of("/usr/lib/java");

    @Test
    void thePackageIsStartedByItsScript() {
        Launcher launcher = new Launcher(
                Optional.of(Path.of("/opt/my muster")), JAVA, List.of(Path.of("/opt/muster/lib/muster.jar")));

        assertThat(launcher.command()).containsExactly("/opt/my muster/bin/muster");
    }

    @Test
    void theSingleJarIsStartedAsOne() {
        Launcher launcher = new Launcher(Optional.empty(), JAVA, List.of(Path.of("/x/muster.jar")));

        assertThat(launcher.command()).containsExactly("/usr/lib/java/bin/java", "-jar", "/x/muster.jar");
    }

    @Test
    void aClassPathIsStartedByItsMainClass() {
        Launcher launcher = new Launcher(Optional.empty(), JAVA, List.of(Path.of("/x/classes"), Path.of("/y/z.jar")));

        assertThat(launcher.command())
                .containsExactly("/usr/lib/java/bin/java", "-cp", "/x/classes:/y/z.jar", "dev.muster.runtime.app.Main");
    }
}
