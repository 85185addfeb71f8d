package dev.muster.runtime.supervise;

import dev.muster.runtime.process.Termination;
import dev.muster.runtime.text.Sha256;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.ProcessSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The services of a launcher that go on from run to run, by their ids. Only the event loop, and who runs it, touches them. */
final class KeptServices {

    private final Map<String, KeptService> services = new LinkedHashMap<>();
    private final Set<String> files = new TreeSet<>();

    /** The one that is there, running. */
    Optional<KeptService> find(String id) {
        return Optional.ofNullable(services.get(id)).filter(service -> !service.hasEnded());
    }

    void add(ProcessSpec process, KeptService service) {
        services.put(process.id(), service);
        process.keptFiles().ifPresent(files::addAll);
    }

    boolean areThere() {
        return services.keySet().stream().anyMatch(id -> find(id).isPresent());
    }

    /** Whether a plan still wants all that are there. */
    boolean areWantedBy(LaunchPlan plan) {
        Set<String> wanted = plan.processes().stream()
                .filter(process -> process.keptFiles().isPresent())
                .map(ProcessSpec::id)
                .collect(Collectors.toSet());
        return services.keySet().stream().filter(id -> find(id).isPresent()).allMatch(wanted::contains);
    }

    /** Names in the private directory that they read. */
    Set<String> files() {
        return files;
    }

    /** The run that is has ended. */
    void belongToNobody(Duration limit) throws InterruptedException {
        for (KeptService service : services.values()) {
            service.belongsToNobody(limit);
        }
    }

    /** How those have ended that have by then, by their ids. */
    Map<String, Termination> ends(Duration limit) {
        Map<String, Termination> ends = new LinkedHashMap<>();
        services.forEach((id, service) -> service.end(limit).ifPresent(how -> ends.put(id, how)));
        return ends;
    }

    /** What the files hold now that a service is kept with, in brief. */
    static String content(Set<String> names, Path directory) {
        return names.stream()
                .map(name -> name + ' ' + digest(directory.resolve(name)))
                .collect(Collectors.joining("\n"));
    }

    /** Empty where there is no regular file that can be read. */
    private static String digest(Path file) {
        try {
            return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) ? Sha256.hex(Files.readAllBytes(file)) : "";
        } catch (IOException gone) {
            return "";
        }
    }
}
