package dev.muster.runtime.output;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Runs shell scripts as ranks, logs below the first argument, with the console of its own; ends as the first that fails. */
final class PrintingProgram {

    private PrintingProgram() {}

    /** @param arguments a directory, then scripts */
    public static void main(String[] arguments) throws Exception {
        Console console = Console.standard();
        console.say("starting");
        TestRanks ranks = new TestRanks(console, Path.of(arguments[0]));
        for (String script : List.of(arguments).subList(1, arguments.length)) {
            ranks.start(script);
        }
        int code = ranks.waitFor();
        long end = System.nanoTime();
        ranks.hub.drain(Duration.ofSeconds(2));
        console.say("exit " + code);
        console.close();
        long tookMillis = (System.nanoTime() - end) / 1_000_000;
        Runtime.getRuntime().halt(tookMillis > 1500 ? 99 : code);
    }
}
