package dev.muster.runtime.inputs;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.output.Waits;
import dev.muster.runtime.process.Questions;
import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Fetches the inputs of an engine, all at the same time, and waits for those that are not ready yet. */
public final class Inputs {

    private final Path directory;
    private final InputRoot root;
    private final Optional<String> searchPath;
    private final Questions questions;
    private final Waiter waiter;
    private final Waits waits;
    private final Set<String> warned = new HashSet<>();

    /**
     * @param directory what relative paths are relative to
     * @param searchPath the user's PATH, for programs
     * @param questions asks commands
     * @param waits shows what is waited for, and when waiting has paid off; gets warnings, too
     */
    public Inputs(
            Path directory,
            InputRoot root,
            Optional<String> searchPath,
            Questions questions,
            Waiter waiter,
            Waits waits) {
        this.directory = directory;
        this.root = root;
        this.searchPath = searchPath;
        this.questions = questions;
        this.waiter = waiter;
        this.waits = waits;
    }

    /**
     * The values of the inputs, by their ids.
     *
     * @param deadline how long to wait; zero: look once
     * @return empty when the launcher was told to stop meanwhile
     * @throws MusterException {@link ExitCode#DATA} as soon as one look shows an input that waiting cannot mend, {@link
     *     ExitCode#TEMPORARY} when inputs are not ready at the deadline; the message names all of them
     */
    public Optional<Map<String, InputValue>> await(List<Input> inputs, Duration deadline) {
        List<Source> sources = new ArrayList<>(inputs.size());
        for (Input input : inputs) {
            sources.add(input.fold(new Fetched()));
        }
        return new Wait(sources, deadline, waiter, waits, this::warn).run();
    }

    /** Once: the plans of all nodes may need the same file. */
    private void warn(String line) {
        if (warned.add(line)) {
            waits.say("warning: " + line);
        }
    }

    /** How each kind of input is fetched. */
    private final class Fetched implements Input.Cases<Source> {

        @Override
        public Source jsonFile(Input.JsonFile json) {
            return new JsonSource(json, root.resolve(directory, json.path()));
        }

        @Override
        public Source jsonText(Input.JsonText json) {
            return new JsonTextSource(json);
        }

        @Override
        public Source textFile(Input.TextFile text) {
            return new TextSource(text, root.resolve(directory, text.path()));
        }

        @Override
        public Source listing(Input.Listing listing) {
            return new ListingSource(listing, root.resolve(directory, listing.path()));
        }

        @Override
        public Source program(Input.Program program) {
            return new ProgramSource(program, directory, searchPath);
        }

        @Override
        public Source commandOutput(Input.CommandOutput command) {
            return new CommandSource(command, questions);
        }
    }
}
