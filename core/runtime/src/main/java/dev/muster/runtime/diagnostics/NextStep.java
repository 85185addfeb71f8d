package dev.muster.runtime.diagnostics;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What somebody may do about a failure: one line for causes that are known by their words, and none for all others. */
public final class NextStep {

    /** @param advice may quote groups of the pattern as {@code $1} */
    private record Rule(Pattern words, String advice) {}

    private static final String OF_OTHERS =
            "the other end was gone: look for an earlier failure in the logs of the other ranks";

    private static final String SILENT =
            "look where the program ends without a word; what it has not flushed then is lost";

    /** In the words of argparse, optparse, getopt, click, absl, fire and transformers. */
    private static final String REFUSED = "^(?=.*(?:unrecognized (?:arguments|option)|[Nn]o such option|not recognized"
            + "|[Uu]nknown (?:command line flag|option|argument)|unexpected argument|not consume arg|not used by the Hf)).*";

    private static final String MISSING = "^(?=.*(?:arguments are required|must have a value"
            + "|[Mm]issing (?:required )?(?:option|argument|parameter))).*";

    /** The first that fits a line, of those that stand nearer to the end of the words. */
    private static final List<Rule> RULES = List.of(
            rule(
                    "(?:error while loading shared libraries|ImportError|OSError): ([^:\\s]+\\.so[^:\\s]*): cannot open"
                            + " shared object file.*",
                    "install the package that has $1, or add its directory to LD_LIBRARY_PATH"),
            rule(
                    "ModuleNotFoundError: No module named '([^']+)'.*",
                    "install the module $1 for the Python of the command, or choose the Python that has it (--conda-env,"
                            + " PYTHONPATH)"),
            rule(
                    "(?:Import|Attribute)Error: .*(?:cannot import name|undefined symbol).*",
                    "compare the versions of the packages that the last lines name: they do not fit together"),
            rule(
                    ".*(?:CUDA|NPU|HIP|XPU) out of memory.*|.*OutOfMemoryError: (?:CUDA|NPU|HIP).*",
                    "the memory of the card is full: use a smaller batch, or see with nvidia-smi or npu-smi info who else"
                            + " uses the card"),
            rule(
                    ".*(?:unable to open shared memory object|insufficient shared memory).*",
                    "/dev/shm is too small for the workers of the data loader: df -h /dev/shm; use fewer workers, or give"
                            + " the container more"),
            rule(
                    "(?:[\\w.]+\\.)?MemoryError\\b.*|.*std::bad_alloc.*|.*Cannot allocate memory.*|.*java\\.lang\\.OutOfMemoryError.*",
                    "the process got no more memory: look at its limits (ulimit -v, the container's memory) and at what it"
                            + " loads"),
            rule(
                    ".*Watchdog caught collective operation timeout.*|.*(?:collective|barrier).*timed? ?out.*",
                    "one rank did not take part in time: compare where the logs of the other ranks end"),
            rule(
                    ".*\\bEI00(?:02|06|15)\\b.*|.*HCCL.*(?:time ?out|timed out).*",
                    "a rank or a card did not answer in time: look for the rank whose log ends first, and at the links of"
                            + " the cards (hccn_tool -i CARD -link -g)"),
            rule(
                    ".*(?:ncclRemoteError|NCCL communicator was aborted|Connection reset by peer|Connection closed by"
                            + " peer|Broken ?[Pp]ipe).*",
                    OF_OTHERS),
            rule(
                    ".*\\bnccl[A-Z]\\w*Error\\b.*|.*NCCL error.*",
                    "run again with NCCL_DEBUG=INFO: it says which network or card refused"),
            rule(
                    ".*(?:Address already in use|EADDRINUSE|errno: 98\\b).*",
                    "another process has the port: see who with ss -ltnp, or choose another port"),
            rule(
                    ".*(?:Connection refused|No route to host|Name or service not known|Temporary failure in name"
                            + " resolution).*",
                    "see that the address in the last lines is right, and that its process runs and can be reached from"
                            + " this node"),
            rule(
                    ".*(?:No space left on device|Disk quota exceeded).*",
                    "make room: df -h and df -i show which file system is full, and quota whose quota"),
            rule(".*Too many open files.*", "raise the limit of open files (ulimit -n) before the launcher is started"),
            rule(
                    ".*(?:can't start new thread|Resource temporarily unavailable).*",
                    "there are too many processes or threads: look at ulimit -u and the container's limit of pids"),
            rule(
                    "^PermissionError: .*|.*: Permission denied$",
                    "look at owner and mode of what the last line names: ls -ld, and id for who the ranks are"),
            rule(
                    "^(?:FileNotFoundError|NotADirectoryError|IsADirectoryError): .*|.*can't open file .*"
                            + "No such file or directory.*",
                    "see that the path is right on this node; relative ones begin at the rank's working directory, which"
                            + " muster plan shows"),
            rule(
                    ".*environment variable (\\w+) expected, but not set.*"
                            + "|^KeyError: '((?:LOCAL_)?RANK|(?:LOCAL_)?WORLD_SIZE|MASTER_(?:ADDR|PORT))'.*",
                    "the script reads torchrun's variables: give --engine pytorch-gpu -o processes=per-card"),
            rule(
                    "^KeyError: '(?:OMPI_|PMIX?_|HOROVOD_)\\w+'.*",
                    "the script reads variables of mpirun: give --engine mpi, which starts it with mpirun"),
            rule(
                    "^KeyError: '(?:RANK_TABLE_FILE|RANK_ID|RANK_SIZE|(?:ASCEND_)?DEVICE_ID)'.*",
                    "the script reads variables of Ascend's ranks: give --engine ascend"),
            rule("^KeyError: 'TF_CONFIG'.*", "the script reads TF_CONFIG: give --engine tensorflow-ps"),
            rule(
                    REFUSED + "(?:init_method|--rank [0-9]+ --world_size)\\b.*",
                    "the script does not know the arguments that Muster appended: give -o processes=per-card, which sets"
                            + " torchrun's variables instead, or processes=plain, which adds nothing"),
            rule(
                    REFUSED + "(?:job_name|task_index|ps_hosts|worker_hosts)\\b.*",
                    "the script does not know the arguments that Muster appended: give -o tf-config=ps-env, which sets"
                            + " TF_CONFIG alone"),
            rule(
                    MISSING + "--(?:init[_-]method|rank|world[_-]size)(?![\\w-]).*",
                    "the script wants these as arguments: give -o processes=per-node, which appends --init_method, and"
                            + " with several nodes --rank and --world_size; on one node write those two yourself"),
            rule(
                    MISSING + "--local[_-]rank\\b.*",
                    "have the script read the variable LOCAL_RANK, as torchrun wants it, or start it with"
                            + " sh -c 'exec python3 train.py --local_rank=$LOCAL_RANK'"),
            rule(
                    MISSING + "--(?:job_name|task_index|ps_hosts|worker_hosts)\\b.*",
                    "the script wants these as arguments: give --engine tensorflow-ps -o tf-config=ps, which appends"
                            + " them"),
            rule(
                    ".*error: (?:unrecognized arguments|the following arguments are required|argument .*|invalid choice).*",
                    "the program refused its arguments: muster plan shows those that each rank gets"));

    private NextStep() {}

    private static Rule rule(String words, String advice) {
        return new Rule(Pattern.compile(words), advice);
    }

    /**
     * The line, where something is known.
     *
     * @param words the last words of the process
     * @param signal that ended it
     */
    public static Optional<String> of(List<String> words, OptionalInt signal) {
        for (int index = words.size() - 1; index >= 0; index--) {
            String line = Traceback.withoutMark(words.get(index));
            for (Rule rule : RULES) {
                Matcher matcher = rule.words().matcher(line);
                if (matcher.find()) {
                    return Optional.of(advice(rule, matcher));
                }
            }
        }
        if (signal.isPresent()) {
            return ofSignal(signal.getAsInt(), words);
        }
        return words.isEmpty() ? Optional.of(SILENT) : Optional.empty();
    }

    private static String advice(Rule rule, Matcher matcher) {
        String quoted = matcher.groupCount() > 0 ? String.valueOf(matcher.group(1)) : "";
        return rule.advice().replace("$1", quoted);
    }

    private static Optional<String> ofSignal(int signal, List<String> words) {
        boolean hasStack = words.stream().anyMatch(line -> line.contains("Fatal Python error"));
        return switch (signal) {
            case 4 -> Optional.of("the program was built for another processor: look for packages made for this one");
            case 7 -> Optional.of("a file in memory could not grow, most often in /dev/shm: df -h /dev/shm");
            case 9 ->
                Optional.of(
                        "find out who sent SIGKILL: the kernel when memory ran out (dmesg), a scheduler, or somebody");
            case 11 ->
                hasStack
                        ? Optional.empty()
                        : Optional.of("run again with PYTHONFAULTHANDLER=1: Python then prints where it crashed");
            case 13 -> Optional.of(OF_OTHERS);
            default -> Optional.empty();
        };
    }
}
