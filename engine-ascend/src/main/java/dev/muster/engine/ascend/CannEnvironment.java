package dev.muster.engine.ascend;

import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import dev.muster.spi.JobSpec;
import dev.muster.spi.Note;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlanRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The variables that CANN's {@code set_env.sh} sets or changes for a rank, and the CPUs that the node may use. A shell reads the
 * scripts once for all ranks.
 *
 * @param changed variables that differ from the launcher's
 * @param cpus a list as the kernel writes it; empty when unknown
 * @param note for the user
 */
record CannEnvironment(SortedMap<String, String> changed, String cpus, Note note) {

    private static final String ID = "cann-environment";
    private static final Duration DEADLINE = Duration.ofSeconds(30);
    private static final int NO_SHELL = 127;
    private static final int TOO_LATE = 124;

    /** CANN's own variable, which some images set: {@code /usr/local/Ascend/ascend-toolkit/latest}. */
    private static final String HOME_VARIABLE = "ASCEND_TOOLKIT_HOME";

    private static final Pattern HOME = Pattern.compile("(/.+)/ascend-toolkit/[^/]+/?");
    private static final String DEFAULT_DIRECTORY = "/usr/local/Ascend";

    /** Variables of the shell itself, which ranks do not need. */
    private static final Set<String> OF_THE_SHELL = Set.of("_", "OLDPWD", "PWD", "SHLVL");

    /**
     * Its argument is the directory of CANN. It prints records that end with NUL: the CPUs; the scripts that it read, then an empty
     * record; the variables that the scripts set or changed, then an empty record.
     */
    private static final String SCRIPT = """
            muster_env=$(type -P env) || exit 1
            muster_cpus=
            while read -r muster_key muster_value; do
              if [ "$muster_key" = Cpus_allowed_list: ]; then muster_cpus=$muster_value; fi
            done 2>/dev/null </proc/self/status
            muster_files=()
            if [ -d "$1/ascend-toolkit/latest" ] && [ -f "$1/ascend-toolkit/set_env.sh" ]; then
              muster_files+=("$1/ascend-toolkit/set_env.sh")
            elif [ -f "$1/nnae/set_env.sh" ]; then
              muster_files+=("$1/nnae/set_env.sh")
            fi
            if [ -f "$1/tfplugin/set_env.sh" ]; then
              muster_files+=("$1/tfplugin/set_env.sh")
            fi
            set --
            declare -A muster_before
            while IFS= read -r -d '' muster_entry; do
              muster_before["=$muster_entry"]=1
            done < <("$muster_env" -0)
            for muster_file in "${muster_files[@]}"; do
              . "$muster_file" >/dev/null 2>&1 </dev/null
            done
            set +eu
            printf '%s\\0' "$muster_cpus" "${muster_files[@]}" ''
            while IFS= read -r -d '' muster_entry; do
              if [ -z "${muster_before["=$muster_entry"]}" ]; then printf '%s\\0' "$muster_entry"; fi
            done < <("$muster_env" -0)
            printf '\\0'
            """;

    /** With {@code -p} bash does not read the file that BASH_ENV names. */
    static Input input(JobSpec job) {
        return new Input.CommandOutput(ID, List.of("bash", "-p", "-c", SCRIPT, "bash", directory(job)), DEADLINE);
    }

    /** @throws PlanException when the scripts cannot be read to their end */
    static CannEnvironment read(PlanRequest request) throws PlanException {
        String directory = directory(request.job());
        Optional<InputValue.CommandOutput> answer = request.input(ID, InputValue.CommandOutput.class);
        int code = answer.map(InputValue.CommandOutput::exitCode).orElse(NO_SHELL);
        if (code == NO_SHELL) {
            return failed(directory, "bash is not there", "");
        }
        String output = answer.orElseThrow().output();
        // A complete answer ends with two empty records.
        if (code != 0 || !output.endsWith("\0\0")) {
            throw PlanException.configuration("the environment of CANN below " + directory
                    + " cannot be read: its set_env.sh " + problem(code, output.isEmpty())
                    + ". Run \"bash -c '. <file>'\" to see why");
        }
        List<String> records = List.of(output.split("\0", -1));
        int end = 1 + records.subList(1, records.size()).indexOf("");
        return end == 1
                ? failed(directory, "there is no set_env.sh of ascend-toolkit or nnae", records.get(0))
                : new CannEnvironment(
                        changed(records.subList(end + 1, records.size())),
                        records.get(0),
                        Note.info("ranks get the environment of " + String.join(" and ", records.subList(1, end))));
    }

    private static String problem(int code, boolean saidNothing) {
        if (code == TOO_LATE) {
            return "did not end within " + DEADLINE.toSeconds() + " s";
        }
        return saidNothing ? "ended the shell with exit code " + code : "makes more than 64 KiB of variables";
    }

    private static CannEnvironment failed(String directory, String why, String cpus) {
        Note note = Note.warning("no CANN below " + directory + " (" + why + "): ranks keep the environment as it is; "
                + HOME_VARIABLE + " names another place");
        return new CannEnvironment(new TreeMap<>(), cpus, note);
    }

    private static SortedMap<String, String> changed(List<String> entries) {
        SortedMap<String, String> changed = new TreeMap<>();
        for (String entry : entries) {
            String name = entry.substring(0, Math.max(entry.indexOf('='), 0));
            if (!name.isEmpty() && !OF_THE_SHELL.contains(name)) {
                changed.put(name, entry.substring(name.length() + 1));
            }
        }
        return changed;
    }

    private static String directory(JobSpec job) {
        return job.variable(HOME_VARIABLE)
                .map(home -> HOME.matcher(home.value()))
                .filter(Matcher::matches)
                .map(home -> home.group(1))
                .orElse(DEFAULT_DIRECTORY);
    }
}
