package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The wheel and the Debian package: installed, used, removed. */
@ExtendWith(Scenes.class)
class InstallIT {

    private static final Duration LIMIT = Duration.ofMinutes(5);

    /** Prints each Python of 3.7 or newer that can make environments, the oldest first. */
    private static final String PYTHONS = """
            for python in /usr/bin/python3 "$0"/.pyenv/versions/*/bin/python3; do
              "$python" -c 'import ensurepip, sys; v = sys.version_info; assert v >= (3, 7); print("%02d.%02d" % v[:2], sys.executable)'
            done 2>"$1" | sort | sed 's/^[^ ]* //'
            """;

    private static final String INSTALL = """
            set -e
            export PYTHONDONTWRITEBYTECODE=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INDEX=1
            "$0" -m venv venv
            # Old ones warn root, and cannot be told not to.
            pip() { "$@" 2>pip.txt || { cat pip.txt >&2; exit 1; }; }
            find venv | sort >before
            pip venv/bin/pip install -q "$1"/*.whl
            venv/bin/muster --version
            TMPDIR=$2 venv/bin/muster --engine pytorch-gpu --platform none --cards 1 --job-id "$3" -- /bin/echo a rank
            pip "$0" -m pip install -q --target 'of a target' "$1"/*.whl
            'of a target/bin/muster' --version
            pip venv/bin/pip uninstall -q -y muster
            find venv | sort >after
            cmp before after
            rm -rf venv 'of a target'
            """;

    @Test
    void bothRunAJobAndLeaveNothingBehind(Scene scene) {
        Components.require("python3", "dpkg-deb");
        Path built = built(scene, "out");
        for (String python : pythons(scene)) {
            useWheel(scene, python, built);
        }
        useDebianPackage(scene, built);
        assertThat(sums(scene, built(scene, "again"))).isEqualTo(sums(scene, built));
    }

    /** The oldest and the newest Python. */
    private static Set<String> pythons(Scene scene) {
        String[] found = scene.command("/bin/sh", "-c", PYTHONS, System.getProperty("user.home"))
                .with("/dev/null")
                .run()
                .output()
                .strip()
                .split("\n", -1);
        Assumptions.assumeFalse(found[0].isEmpty(), "no Python here has venv and pip");
        return Set.copyOf(List.of(found[0], found[found.length - 1]));
    }

    private static void useWheel(Scene scene, String python, Path built) {
        Result result = scene.command("/bin/sh", "-c", INSTALL, python, built.toString())
                .with(scene.beside("t").toString(), scene.jobId())
                .start()
                .await(LIMIT)
                .endedWith(0);
        assertThat(result.output().lines().filter(line -> line.startsWith("muster ")))
                .as(python)
                .hasSize(2);
        assertThat(result.output()).contains("[rank 0] a rank");
    }

    private static void useDebianPackage(Scene scene, Path built) {
        String unpack = "dpkg-deb -x \"$0\"/*.deb root && dpkg-deb -f \"$0\"/*.deb Package Depends";
        assertThat(scene.command("/bin/sh", "-c", unpack, built.toString())
                        .run()
                        .endedWith(0)
                        .output())
                .contains("Package: muster", "Depends: ");
        scene.apart(scene.command(scene.directory() + "/root/usr/bin/muster", "--engine", "pytorch-gpu"))
                .with("--platform", "none", "--cards", "1", "--job-id", scene.jobId(), "--", "/bin/echo", "a rank")
                .run()
                .endedWith(0)
                .says("pytorch-gpu");
    }

    /** Checksums of the wheel and the Debian package. */
    private static String sums(Scene scene, Path built) {
        return scene.command("/bin/sh", "-c", "cd \"$0\" && sha256sum *.whl *.deb", built.toString())
                .run()
                .endedWith(0)
                .output();
    }

    /** Builds both from the generic package, which is smaller than the others and installs in the same way. */
    private static Path built(Scene scene, String name) {
        Path out = scene.beside(name);
        String script = Product.project()
                .resolve("distribution/src/build/installers.py")
                .toString();
        String architecture = Product.architecture().replace("linux-", "");
        scene.command("/usr/bin/python3", script, Product.home().toString(), architecture, "1.2.3", "1767225600")
                .with(out.toString())
                .start()
                .await(LIMIT)
                .endedWith(0);
        return out;
    }
}
