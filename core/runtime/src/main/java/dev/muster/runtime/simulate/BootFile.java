package dev.muster.runtime.simulate;

import dev.muster.runtime.process.Executables;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The training command of a simulation. Virtual nodes have other working directories than the caller. So the first argument that names a
 * file in the caller's directory becomes absolute: it is the boot file.
 *
 * @param command as the nodes get it
 * @param madeAbsolute the argument that was changed, as the user wrote it
 */
public record BootFile(List<String> command, Optional<String> madeAbsolute) {

    public static BootFile of(List<String> command, Path callersDirectory) {
        for (int index = 0; index < command.size(); index++) {
            String argument = command.get(index);
            // The first word is looked up in PATH unless it is a path.
            boolean looksLikeFile = index > 0 || argument.contains("/");
            if (looksLikeFile && Executables.namesFile(argument, callersDirectory)) {
                List<String> changed = new ArrayList<>(command);
                changed.set(
                        index, callersDirectory.resolve(argument).normalize().toString());
                return new BootFile(List.copyOf(changed), Optional.of(argument));
            }
        }
        return new BootFile(command, Optional.empty());
    }
}
