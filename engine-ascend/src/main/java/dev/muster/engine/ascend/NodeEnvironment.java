package dev.muster.engine.ascend;

import dev.muster.spi.EngineOption;
import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import dev.muster.spi.JobSpec;
import dev.muster.spi.Note;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlanRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What CANN's {@code set_env.sh} would change in a rank's environment, and the CPUs that the node may use. A shell reads the
 * scripts once, for all ranks, and says what it had before and after.
 *
 * @param variables that ranks inherit
 * @param changed names of those that differ from the launcher's
 * @param removed names of those that the launcher has and ranks do not
 * @param cpus as the kernel writes it; empty when unknown
 * @param notes for the user
 */
record NodeEnvironment(
        SortedMap<String, String> variables,
        List<String> changed,
        List<String> removed,
        String cpus,
        List<Note> notes) {

    static final EngineOption OPTION = EngineOption.of(
                    "cann-dir",
                    EngineOption.Kind.PATH,
                    "with --framework: where CANN is installed, whose set_env.sh is read")
            .withDefault("/usr/local/Ascend");

    private static final String ID = "cann-environment";
    private static final Duration DEADLINE = Duration.ofSeconds(30);
    private static final int NO_SHELL = 127;
    private static final int TOO_LATE = 124;
    private static final int GROUPS = 3;

    /** The shell's own, which say nothing to a rank. */
    private static final Set<String> OF_THE_SHELL = Set.of("_", "OLDPWD", "PWD", "SHLVL");

    /**
     * Gets the directory of CANN. Prints records that end with NUL: the CPUs; the scripts that were read, an empty record; the
     * variables that these have made or changed, an empty record; the names of those that they have removed, an empty record.
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
            declare -A muster_before muster_names
            while IFS= read -r -d '' muster_entry; do
              muster_before["=$muster_entry"]=1
            done < <("$muster_env" -0)
            for muster_file in "${muster_files[@]}"; do
              . "$muster_file" >/dev/null 2>&1 </dev/null
            done
            set +eu
            printf '%s\\0' "$muster_cpus" "${muster_files[@]}" ''
            while IFS= read -r -d '' muster_entry; do
              muster_names["=${muster_entry%%=*}"]=1
              if [ -z "${muster_before["=$muster_entry"]}" ]; then printf '%s\\0' "$muster_entry"; fi
            done < <("$muster_env" -0)
            printf '\\0'
            for muster_entry in "${!muster_before[@]}"; do
              muster_entry=${muster_entry#=}
              muster_entry=${muster_entry%%=*}
              if [ -z "${muster_names["=$muster_entry"]}" ]; then printf '%s\\0' "$muster_entry"; fi
            done
            printf '\\0'
            """;

    NodeEnvironment {
        changed = List.copyOf(changed);
        removed = List.copyOf(removed);
        notes = List.copyOf(notes);
    }

    /** A file that BASH_ENV names is not for this shell: hence {@code -p}. */
    static Input input(JobSpec job) {
        return new Input.CommandOutput(ID, List.of("bash", "-p", "-c", SCRIPT, "bash", directory(job)), DEADLINE);
    }

    /** @throws PlanException when the scripts cannot be read to their end */
    static NodeEnvironment read(PlanRequest request) throws PlanException {
        JobSpec job = request.job();
        Optional<InputValue.CommandOutput> answer = request.input(ID, InputValue.CommandOutput.class);
        int code = answer.isPresent() ? answer.get().exitCode() : NO_SHELL;
        if (code == NO_SHELL) {
            return unread(job, "bash is not there", "");
        }
        String[] records = answer.get().output().split("\0", -1);
        String cpus = records[0];
        List<List<String>> groups = groups(records);
        if (code != 0 || groups.size() != GROUPS) {
            throw new PlanException(
                    PlanException.Kind.CONFIGURATION,
                    "the environment of CANN below " + directory(job) + " ("
                            + job.option(OPTION.name()).map(OptionValue::origin).orElse("default")
                            + ") cannot be read: its set_env.sh "
                            + problem(code, answer.get().output().isEmpty())
                            + ". Run \"bash -c '. <file>'\" to see why, or name another place with --cann-dir");
        }
        return groups.get(0).isEmpty()
                ? unread(job, "there is no set_env.sh of ascend-toolkit or nnae", cpus)
                : changed(job, groups, cpus);
    }

    private static String problem(int code, boolean saidNothing) {
        if (code == TOO_LATE) {
            return "did not end within " + DEADLINE.toSeconds() + " s";
        }
        return saidNothing ? "ended the shell with exit code " + code : "makes more than 64 KiB of variables";
    }

    private static NodeEnvironment unread(JobSpec job, String why, String cpus) {
        Note note = Note.warning("no CANN below " + directory(job) + " (" + why
                + "): ranks keep the environment as it is; --cann-dir names another place");
        return new NodeEnvironment(job.environment(), List.of(), List.of(), cpus, List.of(note));
    }

    private static NodeEnvironment changed(JobSpec job, List<List<String>> groups, String cpus) {
        SortedMap<String, String> variables = new TreeMap<>(job.environment());
        List<String> changed = new ArrayList<>();
        for (String entry : groups.get(1)) {
            String name = entry.substring(0, Math.max(entry.indexOf('='), 0));
            if (!name.isEmpty() && !OF_THE_SHELL.contains(name)) {
                variables.put(name, entry.substring(name.length() + 1));
                changed.add(name);
            }
        }
        List<String> removed = new ArrayList<>(groups.get(2));
        removed.removeAll(OF_THE_SHELL);
        variables.keySet().removeAll(removed);
        Note note = Note.info("ranks get the environment of " + String.join(" and ", groups.get(0)));
        return new NodeEnvironment(variables, changed, removed, cpus, List.of(note));
    }

    private static String directory(JobSpec job) {
        return job.option(OPTION.name())
                .map(OptionValue::value)
                .orElse(OPTION.defaultValue().orElseThrow());
    }

    /** The scripts, what they made, and what they removed: each ends with an empty record. Fewer where the answer was cut off. */
    private static List<List<String>> groups(String[] records) {
        List<List<String>> groups = new ArrayList<>();
        List<String> group = new ArrayList<>();
        for (int i = 1; i < records.length - 1; i++) {
            if (records[i].isEmpty()) {
                groups.add(group);
                group = new ArrayList<>();
            } else {
                group.add(records[i]);
            }
        }
        return groups;
    }
}
