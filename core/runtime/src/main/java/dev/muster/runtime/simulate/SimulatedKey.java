package dev.muster.runtime.simulate;

import dev.muster.spi.NodeProvision;
import dev.muster.spi.SimulatedCluster;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The private key with which the nodes of a simulated job log in to each other. It is removed with the simulation. */
final class SimulatedKey {

    static final String OPTION = "ssh-key";
    private static final String VARIABLE = "MUSTER_SSH_KEY";

    private SimulatedKey() {}

    /** Adds the key to all nodes. They share one key. */
    static List<NodeProvision> addedTo(List<NodeProvision> provisions, SimulatedCluster cluster) {
        String directory = cluster.nodes().get(0).directory() + "/ssh";
        String text = text();
        return provisions.stream()
                .map(provision -> with(provision, directory, text))
                .toList();
    }

    private static NodeProvision with(NodeProvision provision, String directory, String text) {
        String file = directory + "/key";
        SortedMap<String, String> environment = new TreeMap<>(provision.environment());
        environment.put(VARIABLE, file);
        SortedMap<String, String> files = new TreeMap<>(provision.files());
        files.put(file, text);
        List<String> directories = new ArrayList<>(provision.temporaryDirectories());
        directories.add(directory);
        return new NodeProvision(environment, files, directories, provision.ranks());
    }

    /** A new private key in a form that OpenSSH reads. */
    private static String text() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            byte[] key = generator.generateKeyPair().getPrivate().getEncoded();
            return "-----BEGIN PRIVATE KEY-----\n" + Base64.getMimeEncoder().encodeToString(key)
                    + "\n-----END PRIVATE KEY-----\n";
        } catch (GeneralSecurityException notInThisJava) {
            throw new IllegalStateException(notInThisJava);
        }
    }
}
