package dev.muster.testkit;

import dev.muster.spi.Host;
import dev.muster.spi.PlanException;
import dev.muster.spi.Platform;
import dev.muster.spi.PlatformInfo;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The rules that every platform must keep, checked on recorded evidence. A platform's module extends this class and gives its recordings.
 *
 * @since 0.2
 */
public abstract class PlatformConformance {

    /** Unexpected values of a variable. */
    private static final List<String> STRANGERS = List.of("", "x", "-1", "99999999999999999999", "a,,b[", "\u00e4");

    /** Environments of other platforms. */
    private static final List<Map<String, String>> ELSEWHERE = List.of(
            Map.of(),
            Map.of("SLURM_JOB_ID", "7", "SLURM_NNODES", "2", "SLURM_NODEID", "1"),
            Map.of("MA_NUM_HOSTS", "2", "VC_TASK_INDEX", "1", "VC_WORKER_HOSTS", "a,b"),
            Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1", "HOSTNAME", "pod-0"));

    /** The name that users give to {@code --platform}. */
    protected abstract String platformName();

    /** Recordings from the platform itself, with what it must tell there. At least one is of a job of several nodes. */
    protected abstract List<RecordedEvidence> recordings();

    /** {@link ServiceLoader} finds it once, and its jar declares its name, title and signs. */
    @Test
    public void isWhatItsJarSays() throws IOException {
        Attributes manifest = JarManifest.of(platform().getClass());
        String card = manifest.getValue("Muster-Platform");
        require(
                (platform().name() + "; " + platform().title()).equals(card),
                "the manifest has Muster-Platform: " + card,
                "write NAME; TITLE as name() and title() say");
        String signs = String.valueOf(manifest.getValue("Muster-Platform-Signs"));
        for (RecordedEvidence recording : recordings()) {
            require(
                    recording.environment().entrySet().stream()
                            .anyMatch(each -> !each.getValue().isEmpty() && matches(signs, each.getKey())),
                    "no variable of " + recording.name() + " is one of Muster-Platform-Signs: " + signs,
                    "name one there that is always set: without it no class is loaded");
        }
    }

    private static boolean matches(String patterns, String name) {
        return Stream.of(patterns.strip().split("\\s*,\\s*", -1))
                .anyMatch(each -> name.matches(each.replace("*", ".*")));
    }

    /** Its code does not end the JVM, which would end the tests. */
    @BeforeEach
    public void endsNoJvm() {
        Purity.checkEnds(platform().getClass());
    }

    /** Its code has no effects, and uses only the evidence. */
    @Test
    public void onlyComputes() {
        Purity.check(platform().getClass());
    }

    /** It recognises its own recordings, and no other platform's environment. */
    @Test
    public void recognisesItsPlacesOnly() {
        for (RecordedEvidence recording : recordings()) {
            require(
                    sign(recording).isPresent(),
                    "it does not recognise " + recording.name(),
                    "let sign() tell by what");
        }
        for (Map<String, String> other : ELSEWHERE) {
            require(
                    sign(RecordedEvidence.of("elsewhere", other, Map.of())).isEmpty(),
                    "it recognises its place by " + other,
                    "ask for a variable that no other platform sets");
        }
    }

    /** For each recording it tells what the recording says, and the same in a second call. */
    @Test
    public void tellsWhatIsSo() throws PlanException {
        for (RecordedEvidence recording : recordings()) {
            Map<String, String> told = told(recording);
            require(
                    told.entrySet().containsAll(recording.tells().entrySet()),
                    "at " + recording.name() + " it tells " + told + ", not " + new TreeMap<>(recording.tells()),
                    "tell what the platform says, or correct the recording");
            require(told.equals(told(recording)), "two calls tell something else", "follow the evidence alone");
        }
    }

    /**
     * If a variable is missing, it is not recognised, tells the same, refuses, or leaves out what it does not know. It never tells a wrong
     * value. If a variable has a strange value, its refusal has a message.
     */
    @Test
    public void tellsNothingElseWhereAVariableIsGone() {
        for (RecordedEvidence recording : recordings()) {
            for (String variable : new TreeSet<>(recording.environment().keySet())) {
                Map<String, String> less = new TreeMap<>(recording.environment());
                less.remove(variable);
                check(recording, recording.with(recording.name() + " without " + variable, less), true);
                for (String stranger : STRANGERS) {
                    Map<String, String> other = new TreeMap<>(recording.environment());
                    other.put(variable, stranger);
                    check(
                            recording,
                            recording.with(recording.name() + " with " + variable + "=" + stranger, other),
                            false);
                }
            }
        }
    }

    private void check(RecordedEvidence right, RecordedEvidence damaged, boolean isGone) {
        if (sign(damaged).isEmpty()) {
            return;
        }
        try {
            Map<String, String> told = told(damaged);
            List<String> wrong = new ArrayList<>(right.tells().keySet());
            wrong.removeIf(name -> !told.containsKey(name)
                    || told.get(name).equals(right.tells().get(name)));
            require(
                    wrong.isEmpty() || !isGone,
                    "at " + damaged.name() + " it tells another " + wrong + ": " + told,
                    "leave it out, with a refusal that says why (PlatformInfo.refusals)");
        } catch (PlanException refused) {
            require(
                    !String.valueOf(refused.getMessage()).isBlank(),
                    "at " + damaged.name() + " it refuses without words",
                    "say which variable is wrong, and what to do");
        }
    }

    private Optional<String> sign(RecordedEvidence evidence) {
        try {
            return Engines.ask(where(evidence), () -> platform().sign(evidence));
        } catch (PlanException impossible) {
            throw new AssertionError("to look for a platform never fails", impossible);
        }
    }

    /** The values that it tells, by the names of options. */
    private Map<String, String> told(RecordedEvidence evidence) throws PlanException {
        PlatformInfo info = Engines.ask(where(evidence), () -> platform().read(evidence));
        require(
                info.contract().name().equals(platform().name()),
                "its contract is that of " + info.contract().name(),
                "use PlatformContract.named(name())");
        Map<String, String> told = new TreeMap<>();
        info.options().forEach((name, value) -> told.put(name, value.value()));
        if (!info.hosts().isEmpty()) {
            told.put("hosts", info.hosts().stream().map(Host::name).collect(Collectors.joining(",")));
        }
        return told;
    }

    private String where(RecordedEvidence evidence) {
        return platform().getClass().getName() + ", at " + evidence.name();
    }

    private void require(boolean holds, String seen, String fix) {
        Rule.PLATFORM.require(holds, platform().getClass().getName(), seen, fix);
    }

    /** The platform under test. */
    protected Platform platform() {
        List<Platform> found = ServiceLoader.load(Platform.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(platform -> platform.name().equals(platformName()))
                .toList();
        Rule.PLATFORM.require(
                found.size() == 1,
                "META-INF/services/" + Platform.class.getName(),
                found.size() + " platforms are called " + platformName(),
                "name its class there, once");
        return found.get(0);
    }
}
