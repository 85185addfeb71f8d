package dev.muster.runtime.cli;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.process.PythonCommand;
import dev.muster.runtime.text.Printable;
import dev.muster.runtime.text.ShellQuotes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Another launcher, such as torchrun, as the training command. It starts all ranks of a node itself, but Muster would start it once for
 * each rank.
 *
 * @param name what starts the ranks
 * @param before what stands in front of it, such as {@code conda run -n E}
 * @param interpreter the Python that starts it, if one does
 * @param arguments of the launcher
 */
record PeerLauncher(String name, List<String> before, Optional<String> interpreter, List<String> arguments) {

    private static final String PYTORCH = "--engine pytorch-gpu";
    private static final String MPI = "--engine mpi";

    /** Programs and Python modules of other launchers, each with the options of Muster that replace it. */
    private static final Map<String, String> LAUNCHERS = launchers(Map.of(
            PYTORCH,
            "torchrun torch.distributed.run torch.distributed.launch accelerate accelerate-launch accelerate.commands.launch"
                    + " accelerate.commands.accelerate_cli deepspeed deepspeed.launcher.runner deepspeed.launcher.launch",
            MPI,
            "mpirun mpiexec mpiexec.hydra orterun prterun",
            "--engine mpi -o launcher=horovodrun",
            "horovodrun horovod.runner.launch",
            "--engine ascend",
            "msrun run_ascend.py",
            "--engine E",
            "srun"));

    private static final Pattern PYTHON = Pattern.compile("(?:python|pypy)[0-9.]*");
    private static final Set<String> SHELLS = Set.of("sh", "bash", "dash", "ksh", "zsh");

    private static final Pattern PLACES = Pattern.compile("-H|-w|-f|--?(?:host|machinefile|nodelist|include).*");
    private static final Pattern NODES = Pattern.compile("-N.*|--?(?:num[-_]machines|num[-_]nodes|n?nodes).*");

    /** Programs that start the program after them, or become it. */
    private static final Set<String> WRAPPERS = Set.of(
            ("env nohup exec command time timeout nice ionice chrt stdbuf numactl taskset setsid unshare sudo conda mamba"
                            + " micromamba poetry uv pipenv pixi singularity apptainer then do else !")
                    .split(" "));

    private static final Pattern ASSIGNMENT = Pattern.compile("\\w+=.*", Pattern.DOTALL);
    private static final Pattern BETWEEN_COMMANDS = Pattern.compile("&&|\\|\\||[;|&\n()]");
    private static final Pattern COMMENT = Pattern.compile("(?m)(?:^|\\s)#.*$");
    private static final int LONGEST_SCRIPT = 64 * 1024;
    private static final Pattern WORD = Pattern.compile("(?:[^\\s\"']|\"[^\"]*\"|'[^']*')+");
    private static final Pattern ONE_OPTION = Pattern.compile("(--[a-z-]+) ([A-Z])(?:, the ranks.*)?");

    private static Map<String, String> launchers(Map<String, String> programs) {
        Map<String, String> launchers = new HashMap<>();
        programs.forEach(
                (options, names) -> List.of(names.split(" ", -1)).forEach(name -> launchers.put(name, options)));
        return launchers;
    }

    /** A warning with the right command line, if the command starts another launcher. */
    static Optional<String> warning(CommandLine line, Settings settings, Path directory) {
        boolean isMeant = settings.engineOptions().values().stream()
                .anyMatch(option -> option.value().equals("plain"));
        return isMeant
                ? Optional.empty()
                : of(line.job())
                        .map(found -> "the command starts " + found.warning("the command") + ". Write "
                                + Printable.escape(ShellQuotes.line(found.line(settings)))
                                + found.places())
                        .or(() -> script(line.job(), directory).flatMap(script -> ofScript(script, settings)));
    }

    /** The shell script that a command runs. */
    private static Optional<Path> script(List<String> command, Path directory) {
        String before = "";
        for (String word : command) {
            boolean isProgram = before.isEmpty() || SHELLS.contains(base(before)) || isWrapper(before);
            if (isProgram && word.endsWith(".sh")) {
                return Optional.of(directory.resolve(word)).filter(Files::isRegularFile);
            }
            before = word.startsWith("-") ? before : word;
        }
        return Optional.empty();
    }

    private static Optional<String> ofScript(Path script, Settings settings) {
        try (InputStream in = Files.newInputStream(script)) {
            String text = new String(in.readNBytes(LONGEST_SCRIPT), StandardCharsets.UTF_8);
            String name = Printable.escape(base(script.toString()));
            return inText(COMMENT.matcher(text.replace("\\\n", " ")).replaceAll(""), word -> word)
                    .map(found -> name + " starts " + found.warning("the script") + ". In " + name + " write "
                            + Printable.escape(String.join(" ", found.line(settings))) + " instead, and run " + name
                            + " without muster" + found.places());
        } catch (IOException unreadable) {
            return Optional.empty(); // whoever runs it says so
        }
    }

    /** The launcher that a command starts. */
    static Optional<PeerLauncher> of(List<String> command) {
        for (int at = 0; at < command.size(); at++) {
            String program = base(command.get(at));
            List<String> before = command.subList(0, at);
            List<String> rest = command.subList(at + 1, command.size());
            if (LAUNCHERS.containsKey(program)) {
                return of(program, before, Optional.empty(), rest);
            }
            if (PYTHON.matcher(program).matches()) {
                return ofPython(command.get(at), before, rest);
            }
            if (SHELLS.contains(program)) {
                return ofShell(rest);
            }
            if (command.subList(0, at + 1).stream().noneMatch(PeerLauncher::isWrapper)) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    private static boolean isWrapper(String word) {
        return WRAPPERS.contains(base(word)) || ASSIGNMENT.matcher(word).matches();
    }

    private static Optional<PeerLauncher> of(
            String name, List<String> before, Optional<String> interpreter, List<String> arguments) {
        boolean isAccelerate = name.equals("accelerate") || name.endsWith("accelerate_cli");
        if (isAccelerate && (arguments.isEmpty() || !arguments.get(0).equals("launch"))) {
            return Optional.empty();
        }
        List<String> own = isAccelerate ? arguments.subList(1, arguments.size()) : arguments;
        return Optional.of(new PeerLauncher(name, List.copyOf(before), interpreter, List.copyOf(own)));
    }

    /** The launcher that Python starts, as a module or as a script. */
    private static Optional<PeerLauncher> ofPython(String interpreter, List<String> before, List<String> words) {
        List<String> script = PythonCommand.script(words);
        String name = script.isEmpty() ? "" : base(script.get(0));
        return LAUNCHERS.containsKey(name)
                ? of(name, before, Optional.of(interpreter), script.subList(1, script.size()))
                : Optional.empty();
    }

    /** The first launcher among the commands of {@code -c TEXT}. */
    private static Optional<PeerLauncher> ofShell(List<String> words) {
        for (int at = 0; at + 1 < words.size() && words.get(at).startsWith("-"); at++) {
            if (words.get(at).matches("-[a-z]*c")) {
                return inText(words.get(at + 1), word -> word.replaceAll("[\"']", ""));
            }
        }
        return Optional.empty();
    }

    /** The first launcher among the commands of a shell. */
    private static Optional<PeerLauncher> inText(String text, UnaryOperator<String> form) {
        return BETWEEN_COMMANDS
                .splitAsStream(text)
                .flatMap(one -> of(words(one, form)).stream())
                .findFirst()
                .map(found -> new PeerLauncher(found.name, List.of(), found.interpreter, found.arguments));
    }

    private static List<String> words(String text, UnaryOperator<String> form) {
        return WORD.matcher(text)
                .results()
                .map(word -> form.apply(word.group()))
                .toList();
    }

    private String warning(String started) {
        return Printable.escape(name) + ", which starts the ranks itself, but Muster starts " + started
                + " once for each rank";
    }

    private List<String> line(Settings settings) {
        String own = LAUNCHERS.get(name);
        boolean isSrun = name.equals("srun");
        boolean isTorchrun = settings.engineOptions().values().stream()
                .anyMatch(option -> option.value().equals("torchrun"));
        String engine = "--engine " + settings.text(OptionTable.ENGINE).orElse("E");
        List<String> words = new ArrayList<>(List.of((isSrun ? engine : String.valueOf(own)).split(" ")));
        if (isTorchrun && PYTORCH.equals(own)) {
            words.addAll(List.of("-o", "processes=torchrun"));
        }
        Map<String, String> options = new TreeMap<>();
        List<String> program = program(options, settings);
        options.forEach((flag, value) -> words.addAll(List.of(flag, value)));
        words.add(CommandLineParser.SEPARATOR);
        words.addAll(program);
        words.addAll(0, isSrun ? List.of("srun", "--ntasks-per-node=1", "muster") : List.of("muster"));
        return words;
    }

    /**
     * The training program, without the launcher.
     *
     * @param options gets Muster's options for those of the launcher
     */
    private List<String> program(Map<String, String> options, Settings settings) {
        boolean isModule = false;
        boolean isPython = !LAUNCHERS.getOrDefault(name, MPI).startsWith(MPI) && !name.equals("srun");
        for (int at : options().toArray()) {
            String[] option = arguments.get(at).split("=", 2);
            isModule |= option[0].equals("-m") || option[0].equals("--module");
            isPython &= !option[0].replace('-', '_').equals("__no_python");
            boolean isNext = after(at) == at + 2 && at + 1 < arguments.size();
            if (option.length > 1 || isNext) {
                translate(option[0], option.length > 1 ? option[1] : arguments.get(at + 1), options, settings);
            }
        }
        int end = Math.min(options().map(this::after).max().orElse(0), arguments.size());
        List<String> rest = arguments.subList(end, arguments.size());
        boolean isScript = isPython && !rest.isEmpty() && rest.get(0).endsWith(".py");
        List<String> program = new ArrayList<>(before);
        program.addAll(python(isModule, isScript));
        program.addAll(rest);
        return program;
    }

    private List<String> python(boolean isModule, boolean isScript) {
        String python = interpreter.orElse("python3");
        return isModule ? List.of(python, "-m") : isScript ? List.of(python) : List.of();
    }

    /** A number for all nodes together counts only if there is one node. */
    private void translate(String flag, String value, Map<String, String> options, Settings settings) {
        boolean isOneNode = settings.given(OptionTable.NODES).isEmpty()
                && settings.given(OptionTable.HOSTS).isEmpty()
                && !has(PLACES)
                && !has(NODES);
        Matcher own = ONE_OPTION.matcher(PeerOptions.advice(flag, ofEngine()).orElse(""));
        boolean isValue = own.matches() && value.matches(own.group(2).equals("A") ? "[\\w.:/-]+" : "[0-9]+");
        if (isValue && !own.group().contains(",")) {
            options.put(own.group(1), value);
        } else if (isValue && isOneNode) {
            options.putIfAbsent(own.group(1), value);
        }
    }

    /** A hint if the launcher's options name hosts or cards: the command alone does not show Muster's options for them. */
    private String places() {
        return has(PLACES) ? "; for its hosts and cards see docs/coming-from.md" : "";
    }

    private boolean has(Pattern option) {
        return options()
                .mapToObj(arguments::get)
                .anyMatch(word -> option.matcher(word).matches());
    }

    /** The positions of the launcher's own options, which stand before the program. */
    private IntStream options() {
        return IntStream.iterate(
                0, at -> at < arguments.size() && arguments.get(at).startsWith("-"), this::after);
    }

    /** The position after an option and its values. */
    private int after(int at) {
        String word = arguments.get(at);
        return at + 1 + (word.indexOf('=') < 0 ? PeerOptions.values(word).orElse(0) : 0);
    }

    /** The engine's options that replace options of the launcher. */
    private Set<String> ofEngine() {
        String engine = LAUNCHERS.getOrDefault(name, MPI);
        if (engine.startsWith(MPI)) {
            return Set.of("--slots");
        }
        return engine.equals(PYTORCH) ? Set.of("--master-addr", "--master-port") : Set.of();
    }

    private static String base(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
