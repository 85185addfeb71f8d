package dev.muster.runtime.certify;

import java.util.Locale;
import java.util.Set;

/**
 * The rules that launchers keep or break. They begin with the number of the rule of engines that they follow from. Most are tried by a start of
 * the launcher of their own: how the probe behaves then, the signal that the launcher gets, and the code that it must end with.
 */
enum Rule {
    EACH_RANK("R3.1", "every rank runs, once"),
    VARIABLES("R4.1", "ranks have the variables of the contract"),
    INHERITED("R4.2", "ranks have the caller's variables, byte for byte"),
    DIRECTORY("R5.1", "ranks run in the directory of the contract"),
    SUCCESS("R7.1", "when all ranks end with 0, the launcher does", "print", 0, 0),
    FIRST_FAILURE("R7.2", "the code of the first rank that fails is the launcher's, on all nodes", "fail", 0, 3),
    KILLED_RANK("R7.3", "a rank that signal n ended gives 128+n", "die", 0, 128 + 9),
    NO_PROGRAM("R7.4", "a command that is not there gives 127", "none", 0, 127),
    LATE_TABLE("R8.1", "a rank table that is not there yet is waited for", "print", 0, 0),
    HALF_TABLE("R8.2", "a half-written rank table is waited for", "print", 0, 0),
    UNREADY_TABLE("R8.3", "a rank table that says initializing is waited for", "print", 0, 0),
    CHANGED_TABLE("R8.4", "ranks that run go on when the rank table changes", "await", 0, 0),
    ARGUMENTS("R9.1", "ranks have the words of the command, byte for byte"),
    OUTPUT("R9.2", "what ranks print is printed by the launcher, to the last byte"),
    GRACE("R9.3", "SIGTERM reaches every rank once, and it has time to save"),
    AFTER_TERM("R9.4", "SIGTERM ends the launcher with 143, on all nodes", "save", 15, 128 + 15),
    IGNORED_TERM("R9.5", "ranks that ignore SIGTERM are killed after the grace", "ignore", 15, Rule.ANY),
    AFTER_INT("R9.6", "SIGINT ends ranks and launcher: 130", "run", 2, 128 + 2),
    AFTER_HUP("R9.7", "SIGHUP ends ranks and launcher: 129", "run", 1, 128 + 1),
    KILLED_LAUNCHER("R9.8", "ranks end when the launcher is killed", "run", 9, Rule.ANY),
    NOTHING_LEFT("R9.9", "the launcher leaves no process behind", "leave", 0, Rule.ANY);

    /** Any code will do. */
    private static final int ANY = -1;

    private static final Set<Rule> OF_SEVERAL_NODES =
            Set.of(SUCCESS, FIRST_FAILURE, LATE_TABLE, AFTER_TERM, NOTHING_LEFT);

    private final String number;
    private final String title;
    private final String behaviour;
    private final int signal;
    private final int code;

    Rule(String number, String title) {
        this(number, title, "", 0, 0);
    }

    Rule(String number, String title, String behaviour, int signal, int code) {
        this.number = number;
        this.title = title;
        this.behaviour = behaviour;
        this.signal = signal;
        this.code = code;
    }

    String number() {
        return number;
    }

    String title() {
        return title;
    }

    String behaviour() {
        return behaviour;
    }

    /** 0: none. */
    int signal() {
        return signal;
    }

    /** Whether a launcher may end with this code. */
    boolean isRight(int end) {
        return code == ANY || end == code;
    }

    /** What the contract says of the end of the launcher. */
    String expected() {
        return (code == ANY ? "it ends" : "exit code " + code) + (isOfProcesses() ? ", nothing is left" : "");
    }

    /** Whether it has a trial of its own in a job of so many nodes. */
    boolean isTried(int nodes) {
        return !behaviour.isEmpty() && (nodes == 1 || OF_SEVERAL_NODES.contains(this));
    }

    /** Whether it is about tables of the platform. */
    boolean isOfTables() {
        return number.startsWith("R8");
    }

    /** Whether it is about what is left behind. */
    boolean isOfProcesses() {
        return compareTo(IGNORED_TERM) >= 0;
    }

    /** Where its group is explained. */
    String page() {
        return "docs/certify.md#" + number.substring(0, 2).toLowerCase(Locale.ROOT);
    }
}
