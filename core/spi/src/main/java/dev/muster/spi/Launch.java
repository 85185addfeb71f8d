package dev.muster.spi;

import java.util.List;

/**
 * What to execute.
 *
 * @param command one element for each argument; the first is a path, or a name looked up in the process's own PATH
 * @param environment how it differs from the launcher's environment
 * @param workDirectory absolute
 * @param logFile name of the file in the job's log directory that receives the output, byte for byte
 * @since 0.1
 */
@Stability(stable = true)
public record Launch(List<Value> command, EnvironmentChange environment, String workDirectory, String logFile) {

    public Launch {
        command = List.copyOf(command);
    }

    /** The user's command, unchanged. */
    public static List<Value> literally(List<String> command) {
        return command.stream().map(Value::of).toList();
    }
}
