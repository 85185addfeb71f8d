package dev.muster.engine.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.LaunchPlan;
import dev.muster.spi.PlanException.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Muster reads each line of a hostfile as mpirun does, or refuses it. */
class HostfileReadingTest {

    /** The lines of a host {@code h}, and its number of slots. */
    private static final Map<String, Integer> READ = Map.ofEntries(
            Map.entry("h", 1),
            Map.entry("h\\nh", 2),
            Map.entry("h slots=2", 2),
            Map.entry("h slots = 2", 2),
            Map.entry("h slots= 2", 2),
            Map.entry("h slots =2", 2),
            Map.entry("h\\tslots\\t=\\t2", 2),
            Map.entry("  h   slots=2  ", 2),
            Map.entry("h slots=02", 2),
            Map.entry("h cpu=2", 2),
            Map.entry("h count = 2", 2),
            Map.entry("h slots=2\\nh", 3),
            Map.entry("h slots=2 max_slots=4", 2),
            Map.entry("h max_slots=4 slots=2", 2),
            Map.entry("h slots = 2 max-slots = 2", 2),
            Map.entry("h max_slots=3", 3),
            Map.entry("h max-slots=3", 3),
            Map.entry("h slots_max=3", 3),
            Map.entry("h cpu-max=3", 3),
            Map.entry("h max_cpu=3", 3),
            Map.entry("h count_max=3", 3),
            Map.entry("h slots=2 # h slots=3", 2),
            Map.entry("h slots=2#3", 2),
            Map.entry("h slots=2 // h slots=3", 2),
            Map.entry("# h slots=3\\r\\n// h slots=3\\n\\nh slots=2", 2),
            Map.entry("joe@h slots=2", 2));

    /** Lines that mpirun refuses, or silently reads as something else. */
    private static final List<String> REFUSED = """
            h lots=2
            h slot=2
            h cpus=2
            h ncpus=2
            h cores=2
            h sockets=2
            h boards=2
            h rank=2
            h Slots=2
            h SLOTS=2
            h 2
            h 2 slots=3
            h slots 2
            h slots
            h slots=
            h slots=-1
            h slots=+2
            h slots=2.5
            h slots=2,3
            h slots=two
            h slots="2"
            h slots=99999999999
            h slots=2 4
            h slots=2 junk
            h slots=2 slots=3
            h slots=2 slots=2
            h cpu=2 count=2
            h slots=2\\nh slots=3
            h slots=2 max_slots=1
            h slots=2 max_slots=x
            h max_slots=4 max_slots=3
            h slots=2 max_slots 4
            h user=joe slots=2
            h port=22
            h i
            h,slots=2
            h,i
            h;slots=2
            h: 2
            h :2
            h slots:2
            h=2
            h*2
            h(2)
            h/2 slots=2
            "h" slots=2
            [fe80::1] slots=2
            ^h slots=2
            $HOST slots=2
            +n0
            *
            =2
            slots=2
            slots=2 h
            -np 2
            h slots=2 \\\\
            h /* a */ slots=2
            h slots=2\\r
            """.lines().toList();

    @TempDir
    Path directory;

    private static TestJob job(String lines) {
        return new TestJob()
                .option("sshd", "none")
                .option("hostfile", "/h")
                .file("/h", "other slots=1\n" + lines.translateEscapes() + "\n");
    }

    private static int slots(LaunchPlan plan) {
        return Integer.parseInt(Plans.file(plan, "hostfile").replaceAll("(?s).*\\bh slots=([0-9]+).*", "$1"));
    }

    @Test
    void slotsAreThoseThatMpirunReads() {
        READ.forEach(
                (lines, slots) -> assertThat(slots(job(lines).plan())).as(lines).isEqualTo(slots));
    }

    @Test
    void whatMpirunDoesNotUnderstandIsRefusedWithItsLine() {
        REFUSED.forEach(line -> job(line).assertRefused(Kind.DATA, line.contains("\\n") ? "/h, line 3" : "/h, line 2"));
    }

    @Test
    void theRealMpirunReadsTheSame() throws Exception {
        Map<String, String> hosts = new TreeMap<>();
        // If no host has a number of slots, mpirun asks for the number of ranks.
        READ.keySet().stream()
                .filter(lines -> !lines.equals("h"))
                .forEach(lines -> hosts.put("h" + hosts.size(), lines));
        String hostfile = hosts.entrySet().stream()
                .map(host -> host.getValue().translateEscapes().replaceAll("\\bh\\b", host.getKey()))
                .collect(Collectors.joining("\n"));
        String said = mpirun(Files.writeString(directory.resolve("hosts"), hostfile + "\n"));

        Map<String, String> read = Pattern.compile("Data for node: (\\w+)\tNum slots: (\\d+)")
                .matcher(said)
                .results()
                .collect(Collectors.toMap(host -> host.group(1), HostfileReadingTest::second));
        hosts.replaceAll((host, lines) -> String.valueOf(READ.get(lines)));
        assertThat(read).as(said).isEqualTo(hosts);
    }

    private static String second(MatchResult host) {
        return host.group(2);
    }

    private static String mpirun(Path hostfile) throws Exception {
        ProcessBuilder mpirun = new ProcessBuilder(
                "mpirun",
                "--allow-run-as-root",
                "--hostfile",
                hostfile.toString(),
                "--display-map",
                "--do-not-launch",
                "true");
        mpirun.environment().put("OMPI_MCA_rmaps_base_oversubscribe", "1");
        mpirun.redirectErrorStream(true);
        try {
            Process started = mpirun.start();
            started.getOutputStream().close();
            String said = new String(started.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            started.waitFor();
            return said;
        } catch (IOException missing) {
            Assumptions.assumeTrue("true".equals(System.getenv("CI")), "no mpirun here");
            throw missing;
        }
    }
}
