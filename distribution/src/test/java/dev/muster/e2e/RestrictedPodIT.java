package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.ParameterDeclarations;

/**
 * Restricted pods: uid 1000, a read-only root file system, and an emptyDir as the only writable place. The emptyDir belongs to root.
 * All users can write to it, and it is not sticky.
 */
@OnEveryEngine(services = false)
class RestrictedPodIT {

    /** The usual path of the emptyDir. */
    private static final String VOLUME = "/var/tmp";

    /** Makes all but one directory read-only. That directory gets the mode of the kubelet's emptyDir. */
    static void restrict(TestHost host, String writable) {
        host.shell("""
                chmod 0777 %1$s
                while read -r id parent device root place rest; do
                  case $place in
                    /proc* | /sys* | %1$s) ;;
                    # What lies below another mount cannot be found, and written to neither.
                    /dev/shm | /[!d]* | /) mount -o remount,bind,ro "$place" 2>/dev/null || : ;;
                  esac
                done </proc/self/mountinfo
                """.formatted(writable));
        for (String place : List.of("/", "/tmp", "/run", "/home/ma-user", "/dev/shm", "/root", "/var/tmp")) {
            if (!place.equals(writable)) {
                host.shell("! touch " + place + "/can-be-written 2>/dev/null");
            }
        }
    }

    private static Result run(TestHost host, Invocation job) {
        return new OnHost(host.here(job.behind(TestHost.AS_USER), "/").start()).await();
    }

    static final class VariablesOfEngine implements ArgumentsProvider {
        @Override
        public Stream<? extends Arguments> provideArguments(
                ParameterDeclarations parameters, ExtensionContext context) {
            return EngineInvocations.engine(context).cases(List.of("TMPDIR", "HOME")).stream()
                    .map(Arguments::of);
        }
    }

    @Tag("repeated")
    @ParameterizedTest
    @ArgumentsSource(VariablesOfEngine.class)
    void theJobRunsWithAVolumeAsItsOnlyPlace(String variable, Scene scene) {
        scene.engine().requireComponents();
        TestHosts hosts = TestHosts.in(scene, 1);
        restrict(hosts.get(0), VOLUME);
        String rank = scene.script("rank", "echo \"$(id -u) is here\"");
        Invocation job = scene.job(1).with(rank).set("HOME", "/nonexistent").set(variable, VOLUME);
        Result result = run(hosts.get(0), job).endedWith(0);
        assertThat(result.output()).contains("1000 is here");
        hosts.assertNothingIsLeft();
    }

    @Test
    void theVolumeMayBeInThePlaceOfTmp(Scene scene) {
        scene.engine().requireComponents();
        TestHosts hosts = TestHosts.in(scene, 1);
        restrict(hosts.get(0), "/tmp");
        String rank = scene.script("rank", "echo \"$(id -u) is here\"");
        Invocation job = scene.job(1).with(rank).set("HOME", "/");
        assertThat(run(hosts.get(0), job).endedWith(0).output()).contains("1000 is here");
        hosts.assertNothingIsLeft();
    }
}
