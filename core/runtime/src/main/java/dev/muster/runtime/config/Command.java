package dev.muster.runtime.config;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What the launcher can be asked to do: its first word. */
public enum Command {
    LAUNCH("launch", "run this node's part of the job; the word itself may be left out", true, "%s"),
    RUN("run", "start the job on other hosts by ssh", true, "--hosts gpu1,gpu2 %s"),
    PLAN("plan", "show what launch would do; write and start nothing", true, "%s"),
    SIMULATE("simulate", "boot a job of several nodes on this machine", true, "--nodes 2 --cards 4 %s"),
    DOCTOR("doctor", "look whether a job can run on this node; write and start nothing", true, "%s"),
    MANIFEST(
            "manifest",
            "print a job for a scheduler such as Volcano or Slurm",
            true,
            "--platform slurm --nodes 2 --cards 8 --job-id run7 %s"),
    CERTIFY("certify", "check a launcher against an engine's contract", true, "--nodes 1 %s"),
    STOP("stop", "stop launchers that run here, and wait for their end", false, "--job run7"),
    PS("ps", "list the launchers that run here, with jobs, ranks and pids", false, "--format json"),
    TOP("top", "show what each rank of a running job does, and who is behind", false, "--job run7"),
    LOGS("logs", "show what ranks print, also of jobs that have ended", false, "-f --since 5m 0-3"),
    STACKS("stacks", "show where the ranks of a running job stand; the one that differs first", false, "0-3"),
    ENGINES("engines", "list the engines and the jars that they come from", false, "--format json"),
    PLATFORMS("platforms", "list the platforms, and what those that are here say", false, "--format json"),
    COMPLETION("completion", "print what completes commands: bash, zsh or fish", false, "bash"),
    HELP("help", "show this page, or that of a command", false, "stop");

    private final String word;
    private final String summary;
    private final boolean runsJobs;
    private final String example;

    Command(String word, String summary, boolean runsJobs, String example) {
        this.word = word;
        this.summary = summary;
        this.runsJobs = runsJobs;
        this.example = example;
    }

    /** What users type. */
    public String word() {
        return word;
    }

    /** For the help, without a full stop. */
    public String summary() {
        return summary;
    }

    /** Whether an engine and a training command belong to it. */
    public boolean runsJobs() {
        return runsJobs;
    }

    /** What may stand behind the word, for the help. */
    public String arguments() {
        return switch (this) {
            case LOGS, STACKS -> "[OPTIONS] [RANKS...]";
            case COMPLETION -> "[OPTIONS] bash|zsh|fish";
            case HELP -> "[COMMAND]";
            default -> runsJobs ? "[OPTIONS] -- COMMAND [ARGUMENTS]" : "[OPTIONS]";
        };
    }

    /** A command line for the help. */
    public String example(String engine) {
        String job = this == CERTIFY
                ? "--engine pytorch-gpu -- torchrun --no_python --nproc_per_node 2"
                : "--engine %s -- python3 train.py".formatted(engine);
        return "muster " + word + " " + example.formatted(job);
    }

    /** Whether it is about launchers that run already, and needs neither a setting nor an engine. */
    public boolean isForLaunchers() {
        return this == STOP || this == PS || this == TOP || takesRanks();
    }

    /** Whether ranks may stand behind it. */
    public boolean takesRanks() {
        return this == LOGS || this == STACKS;
    }

    /** Whether words other than options may stand behind it. */
    public boolean takesWords() {
        return takesRanks() || this == COMPLETION;
    }

    /** The command of this word. */
    public static Optional<Command> of(String word) {
        return Stream.of(values()).filter(command -> command.word.equals(word)).findFirst();
    }

    public static List<String> words() {
        return Stream.of(values()).map(Command::word).toList();
    }
}
