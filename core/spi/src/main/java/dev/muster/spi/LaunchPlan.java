package dev.muster.spi;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What this node has to do, as data. The runtime validates it, shows it or carries it out.
 *
 * @param name the name of this node's part of the job in files and messages, if several containers have the same index:
 *     {@code ps-0}; safe in file names
 * @param directories to be made before anything starts
 * @param files to be written before anything starts, or before the first process that reads them
 * @param ports that must be free before anything starts
 * @param processes started in this order, each when its {@code startWhen} holds
 * @param outcome what decides how the node's job ended
 * @param notes what the user should know about this plan, in order
 * @param nodes the number of nodes that the plan is for; empty: the number from the platform or the user. The runtime
 *     refuses the plan if the environment says that the job has more nodes
 * @param launchers the launchers of the job, if {@link Engine#link} returned none
 * @param equal values that must be the same on all nodes of the job, in addition to the number of nodes and the engine: name and
 *     value on this node, in words that users know
 * @since 0.1
 */
@Stability(stable = true)
public record LaunchPlan(
        Optional<String> name,
        List<RequiredDirectory> directories,
        List<GeneratedFile> files,
        List<RequiredPort> ports,
        List<ProcessSpec> processes,
        Outcome outcome,
        List<Note> notes,
        OptionalInt nodes,
        Optional<LauncherNodes> launchers,
        SortedMap<String, String> equal) {

    public LaunchPlan {
        directories = List.copyOf(directories);
        files = List.copyOf(files);
        ports = List.copyOf(ports);
        processes = List.copyOf(processes);
        notes = List.copyOf(notes);
        equal = Collections.unmodifiableSortedMap(new TreeMap<>(equal));
    }

    /** A builder of an empty plan with this outcome. */
    public static Builder builder(Outcome outcome) {
        return new Builder(outcome);
    }

    /** All conditions that the plan waits for. */
    public List<Condition> conditions() {
        List<Condition> conditions = new ArrayList<>();
        for (ProcessSpec process : processes) {
            conditions.add(process.startWhen());
            if (process instanceof ProcessSpec.Service service) {
                conditions.add(service.readyWhen());
                service.neededUntil().ifPresent(conditions::add);
            }
            process.hosted().ifPresent(ranks -> conditions.add(ranks.until()));
        }
        outcome.cases().forEach(possible -> conditions.add(possible.when()));
        return conditions;
    }

    /** The same plan with these processes instead of its own. */
    public LaunchPlan withProcesses(List<ProcessSpec> others) {
        Builder builder = toBuilder();
        builder.processes.clear();
        return builder.processes(others).build();
    }

    /** The same plan with these files instead of its own. */
    public LaunchPlan withFiles(List<GeneratedFile> others) {
        Builder builder = toBuilder();
        builder.files.clear();
        return builder.files(others).build();
    }

    /** A builder that has everything of this plan. */
    public Builder toBuilder() {
        Builder builder = new Builder(outcome)
                .directories(directories)
                .files(files)
                .ports(ports)
                .processes(processes)
                .notes(notes);
        builder.name = name;
        builder.nodes = nodes;
        builder.launchers = launchers;
        builder.equal.putAll(equal);
        return builder;
    }

    /** Builds a plan. Each call adds to the lists. */
    public static final class Builder {

        private final List<RequiredDirectory> directories = new ArrayList<>();
        private final List<GeneratedFile> files = new ArrayList<>();
        private final List<RequiredPort> ports = new ArrayList<>();
        private final List<ProcessSpec> processes = new ArrayList<>();
        private final List<Note> notes = new ArrayList<>();
        private final SortedMap<String, String> equal = new TreeMap<>();
        private Outcome outcome;
        private Optional<String> name = Optional.empty();
        private OptionalInt nodes = OptionalInt.empty();
        private Optional<LauncherNodes> launchers = Optional.empty();

        private Builder(Outcome outcome) {
            this.outcome = outcome;
        }

        /** The name of this node's part of the job, if several containers have the same index. */
        public Builder name(String part) {
            name = Optional.of(part);
            return this;
        }

        public Builder directory(RequiredDirectory directory) {
            directories.add(directory);
            return this;
        }

        public Builder directories(Collection<RequiredDirectory> more) {
            directories.addAll(more);
            return this;
        }

        public Builder file(GeneratedFile file) {
            files.add(file);
            return this;
        }

        public Builder files(Collection<GeneratedFile> more) {
            files.addAll(more);
            return this;
        }

        public Builder port(RequiredPort port) {
            ports.add(port);
            return this;
        }

        public Builder ports(Collection<RequiredPort> more) {
            ports.addAll(more);
            return this;
        }

        public Builder process(ProcessSpec process) {
            processes.add(process);
            return this;
        }

        public Builder processes(Collection<? extends ProcessSpec> more) {
            processes.addAll(more);
            return this;
        }

        public Builder note(Note note) {
            notes.add(note);
            return this;
        }

        public Builder notes(Collection<Note> more) {
            notes.addAll(more);
            return this;
        }

        /** The number of nodes that the job runs on. */
        public Builder over(int count) {
            nodes = OptionalInt.of(count);
            return this;
        }

        /** The launchers of the job, if {@link Engine#link} returned none. */
        public Builder launchers(LauncherNodes ofJob) {
            launchers = Optional.of(ofJob);
            return this;
        }

        /** A value that must be the same on all nodes. */
        public Builder equal(String what, String here) {
            equal.put(what, here);
            return this;
        }

        public LaunchPlan build() {
            return new LaunchPlan(name, directories, files, ports, processes, outcome, notes, nodes, launchers, equal);
        }
    }
}
