package dev.muster.spi;

import java.util.List;

/**
 * What this node shall do, as data. The runtime validates it, shows it or carries it out.
 *
 * @param directories to be made before anything starts
 * @param files to be written before anything starts
 * @param processes started in this order, each when its {@code startWhen} holds
 * @param outcome what decides how the node's job ended
 * @param notes what the user should know about this plan, in order
 * @since 0.1
 */
public record LaunchPlan(
        List<DirectoryToMake> directories,
        List<FileToWrite> files,
        List<ProcessSpec> processes,
        Outcome outcome,
        List<Note> notes) {

    public LaunchPlan {
        directories = List.copyOf(directories);
        files = List.copyOf(files);
        processes = List.copyOf(processes);
        notes = List.copyOf(notes);
    }
}
