package dev.muster.runtime.platform;

import dev.muster.runtime.config.Environment;
import dev.muster.runtime.config.ProcessInfo;
import dev.muster.spi.Host;
import dev.muster.spi.LauncherNodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Addresses of simulated nodes that share a network in which their names do not resolve. */
public final class SimulatedHosts {

    private SimulatedHosts() {}

    /** The same launchers, with the leader's address in place of its name. Outside simulations nothing changes. */
    public static LauncherNodes reachable(LauncherNodes launchers, Environment environment) {
        Optional<String> file = environment.value(ProcessInfo.SIMULATED_HOSTS);
        return file.isEmpty() || launchers.leads() ? launchers : found(launchers, file.get());
    }

    private static LauncherNodes found(LauncherNodes launchers, String file) {
        List<LauncherNodes.Peer> peers = new ArrayList<>();
        for (LauncherNodes.Peer peer : launchers.all()) {
            Optional<String> address = peer.name().equals(launchers.leader())
                    ? peer.host().flatMap(host -> addressOf(host.name(), file))
                    : Optional.empty();
            peers.add(address.map(known -> new LauncherNodes.Peer(peer.name(), Optional.of(Host.of(known, address))))
                    .orElse(peer));
        }
        return new LauncherNodes(launchers.own(), launchers.leader(), peers, launchers.required(), launchers.keyFile());
    }

    private static Optional<String> addressOf(String name, String file) {
        try (Stream<String> lines = Files.lines(Path.of(file))) {
            return lines.map(line -> List.of(line.strip().split("\\s+", -1)))
                    .filter(words -> words.lastIndexOf(name) > 0)
                    .map(words -> words.get(0))
                    .findFirst();
        } catch (IOException | InvalidPathException unreadable) {
            return Optional.empty();
        }
    }
}
