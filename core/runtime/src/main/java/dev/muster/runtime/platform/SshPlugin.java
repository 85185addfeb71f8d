package dev.muster.runtime.platform;

import dev.muster.spi.Host;
import dev.muster.spi.OptionValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The key pair that Volcano's ssh plugin makes for a job, and mounts into its containers. A key at the same place may come from a public
 * image. Only the plugin names the job's hosts beside it.
 */
final class SshPlugin {

    private static final String HOME = "HOME";
    private static final String USUAL = "/root/.ssh";
    private static final String KEY = "/id_rsa";
    private static final String CONFIG = "/config";
    private static final Pattern HOST_NAME =
            Pattern.compile("^\\s*HostName\\s+(\\S+)\\s*$", Pattern.MULTILINE | Pattern.CASE_INSENSITIVE);

    private SshPlugin() {}

    /** Empty where there is no such key of this job. */
    static Optional<OptionValue> key(EvidenceReader evidence) {
        Set<String> hosts = new VolcanoTasks(evidence)
                .hosts().values().stream().flatMap(List::stream).map(Host::name).collect(Collectors.toSet());
        for (String directory : directories(evidence)) {
            boolean isOfJob =
                    evidence.source().text(directory + CONFIG).stream().anyMatch(config -> names(config, hosts));
            Optional<String> key = isOfJob ? evidence.source().text(directory + KEY) : Optional.empty();
            if (key.isPresent() && !key.get().isBlank()) {
                return Optional.of(
                        new OptionValue(directory + KEY, "the key of Volcano's ssh plugin, " + directory + KEY));
            }
        }
        return Optional.empty();
    }

    private static List<String> directories(EvidenceReader evidence) {
        List<String> directories = new ArrayList<>(List.of(USUAL));
        evidence.value(HOME)
                .filter(home -> home.startsWith("/") && home.length() > 1)
                .map(home -> home + "/.ssh")
                .filter(own -> !own.equals(USUAL))
                .ifPresent(own -> directories.add(0, own));
        return directories;
    }

    private static boolean names(String config, Set<String> hosts) {
        Set<String> named =
                HOST_NAME.matcher(config).results().map(line -> line.group(1)).collect(Collectors.toSet());
        return !hosts.isEmpty() && named.containsAll(hosts);
    }
}
