package dev.muster.engine.mpi;

import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import dev.muster.spi.JobSpec;
import dev.muster.spi.Node;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlanRequest;
import java.util.List;
import java.util.Optional;

/**
 * Where the one key of the job comes from, which every node uses to log in, to be logged in to, and to prove who it is.
 *
 * @param file the private key's path
 * @param isMade whether the node that comes first makes it
 * @param origin for messages
 */
record KeySource(String file, boolean isMade, String origin) {

    private static final String KEYS = "keys of ~/.ssh";

    /** The names that OpenSSH gives to keys; Volcano's ssh plugin makes the first. All nodes must choose the same. */
    private static final List<String> NAMES = List.of("id_rsa", "id_ed25519", "id_ecdsa");

    static List<Input> inputs(Node node) {
        return home(node)
                .map(home -> List.<Input>of(new Input.Listing(KEYS, home + "/.ssh", "id_")))
                .orElse(List.of());
    }

    /** A key that somebody has given to all nodes. */
    static Optional<KeySource> given(PlanRequest request) {
        Optional<OptionValue> key = request.job().option(Options.SSH_KEY);
        if (key.isPresent()) {
            return Optional.of(new KeySource(key.get().value(), false, key.get().origin()));
        }
        Optional<InputValue.Names> found = request.input(KEYS, InputValue.Names.class);
        return NAMES.stream()
                .filter(name -> found.isPresent() && found.get().names().contains(name))
                .map(name -> new KeySource(found.orElseThrow().path() + "/" + name, false, "~/.ssh"))
                .findFirst();
    }

    /** The key of the job, which may have to be made. */
    static KeySource find(PlanRequest request) throws PlanException {
        JobSpec job = request.job();
        Optional<OptionValue> shared = job.option(Options.SHARED_DIRECTORY);
        if (shared.isPresent() && job.option(Options.SSH_KEY).isEmpty()) {
            return shared(job, shared.get());
        }
        Optional<KeySource> given = given(request);
        if (given.isPresent()) {
            return given.get();
        }
        throw PlanException.unavailable(
                "the nodes of the job have no key with which they could reach each other: there is no "
                        + String.join(", ", NAMES) + " in "
                        + home(request.node()).map(home -> home + "/.ssh").orElse("~/.ssh (this user has no home)")
                        + ". Put the same key into the image or the job (in a Volcano job by its plugin ssh), or give"
                        + " --ssh-key FILE, or --shared-directory DIR that all nodes share and others cannot read");
    }

    private static KeySource shared(JobSpec job, OptionValue directory) throws PlanException {
        if (!job.idIsShared()) {
            throw PlanException.ofValue(
                    directory,
                    directory.origin()
                            + " needs a name for the job's key that all nodes know, but this launcher has made"
                            + " up the job's id. Give --job-id ID, the same on all nodes");
        }
        return new KeySource(directory.value() + "/" + job.id() + ".key", true, directory.origin());
    }

    private static Optional<String> home(Node node) {
        return node.machine().home();
    }
}
