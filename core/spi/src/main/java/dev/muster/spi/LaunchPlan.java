package dev.muster.spi;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What this node shall do, as data. The runtime validates it, shows it or carries it out.
 *
 * @param name what files and messages call this node's part of the job where the node's index does not tell, because several
 *     containers have the same one: {@code ps-0}; safe in file names
 * @param directories to be made before anything starts
 * @param files to be written before anything starts, or before the first process that reads them
 * @param ports that must be free before anything starts
 * @param processes started in this order, each when its {@code startWhen} holds
 * @param outcome what decides how the node's job ended
 * @param notes what the user should know about this plan, in order
 * @param nodes over how many nodes the plan takes the job to run; empty: as many as the platform or the user says. The runtime
 *     refuses a plan for one node where the environment says that the job has more
 * @since 0.1
 */
public record LaunchPlan(
        Optional<String> name,
        List<DirectoryToMake> directories,
        List<FileToWrite> files,
        List<PortToUse> ports,
        List<ProcessSpec> processes,
        Outcome outcome,
        List<Note> notes,
        OptionalInt nodes) {

    public LaunchPlan {
        directories = List.copyOf(directories);
        files = List.copyOf(files);
        ports = List.copyOf(ports);
        processes = List.copyOf(processes);
        notes = List.copyOf(notes);
    }

    /** A plan for as many nodes as the platform or the user says. */
    public LaunchPlan(
            Optional<String> name,
            List<DirectoryToMake> directories,
            List<FileToWrite> files,
            List<PortToUse> ports,
            List<ProcessSpec> processes,
            Outcome outcome,
            List<Note> notes) {
        this(name, directories, files, ports, processes, outcome, notes, OptionalInt.empty());
    }

    /** A plan of a node that is called by its index and needs no port. */
    public LaunchPlan(
            List<DirectoryToMake> directories,
            List<FileToWrite> files,
            List<ProcessSpec> processes,
            Outcome outcome,
            List<Note> notes) {
        this(Optional.empty(), directories, files, List.of(), processes, outcome, notes);
    }

    /** The same plan, of a job that runs on so many nodes. */
    public LaunchPlan over(int count) {
        return new LaunchPlan(name, directories, files, ports, processes, outcome, notes, OptionalInt.of(count));
    }
}
