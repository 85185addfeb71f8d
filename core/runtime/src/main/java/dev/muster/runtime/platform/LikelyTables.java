package dev.muster.runtime.platform;

import dev.muster.runtime.config.World;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Where the rank table of a launch probably is, told from its command line and variables before anybody has understood these. What is
 * named here may not be there, nor be what is asked for in the end: only time is lost by that.
 */
public final class LikelyTables {

    /** The option of engines that ask for such a file. */
    public static final String ENGINE_OPTION = "rank-table";

    private static final String OPTION = "--" + ENGINE_OPTION;
    private static final String END_OF_OPTIONS = "--";
    private static final String NAME_IN_DIRECTORY = "jobstart_hccl.json";

    private final World world;
    private final List<Path> files = new ArrayList<>();

    private LikelyTables(World world) {
        this.world = world;
    }

    /** The likeliest first. None for another command than a launch: nobody waits for the ranks of a plan. */
    public static List<Path> of(World world) {
        boolean isLaunch =
                !world.arguments().isEmpty() && world.arguments().get(0).startsWith("-");
        return isLaunch ? new LikelyTables(world).find() : List.of();
    }

    private List<Path> find() {
        List<String> arguments = world.arguments();
        for (int at = 0; at + 1 < arguments.size() && !arguments.get(at).equals(END_OF_OPTIONS); at++) {
            String argument = arguments.get(at);
            if (argument.equals(OPTION)) {
                add(arguments.get(at + 1));
            } else if (argument.startsWith(OPTION + "=")) {
                add(argument.substring(OPTION.length() + 1));
            }
        }
        for (String variable : SignReaders.TABLE_VARIABLES) {
            world.environment().value(variable).ifPresent(this::add);
        }
        SignReaders.TABLES.forEach(this::add);
        return files;
    }

    /** A file, or the directory that has it. */
    private void add(String name) {
        try {
            Path path = world.directory().resolve(name);
            files.add(path);
            files.add(path.resolve(NAME_IN_DIRECTORY));
        } catch (InvalidPathException noName) {
            // Whoever asks for it says so.
        }
    }
}
