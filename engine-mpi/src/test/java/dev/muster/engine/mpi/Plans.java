package dev.muster.engine.mpi;

import dev.muster.spi.GeneratedFile;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Note;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.Value;
import java.util.ArrayList;
import java.util.List;

/** The parts of a plan as text. */
final class Plans {

    private Plans() {}

    static List<String> ids(LaunchPlan plan) {
        return plan.processes().stream().map(ProcessSpec::id).toList();
    }

    static ProcessSpec process(LaunchPlan plan, String id) {
        return plan.processes().stream()
                .filter(process -> process.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + id + " in " + ids(plan)));
    }

    /** The whole command of a process. */
    static List<String> command(LaunchPlan plan, String id) {
        return process(plan, id).launch().command().stream().map(Plans::text).toList();
    }

    /** The command of mpirun that the start script runs, without the shell around each rank. */
    static List<String> mpirun(LaunchPlan plan) {
        List<String> words = command(plan, "mpirun");
        int first = Math.max(words.lastIndexOf("mpirun"), words.lastIndexOf("horovodrun"));
        List<String> run = new ArrayList<>(words.subList(first, words.size()));
        int name = run.indexOf("rank");
        if (name > 0 && run.get(name - 2).equals("-c")) {
            run.subList(name - 3, name + 1).clear();
        }
        return run;
    }

    /** The arguments that follow each {@code option} in mpirun's command. */
    static List<String> after(LaunchPlan plan, String option) {
        List<String> words = mpirun(plan);
        List<String> following = new ArrayList<>();
        for (int i = 0; i + 1 < words.size(); i++) {
            if (words.get(i).equals(option)) {
                following.add(words.get(i + 1));
            }
        }
        return following;
    }

    static String file(LaunchPlan plan, String id) {
        return plan.files().stream()
                .filter(file -> file.id().equals(id))
                .map(GeneratedFile::text)
                .map(Plans::text)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no file " + id));
    }

    static List<String> files(LaunchPlan plan) {
        return plan.files().stream().map(GeneratedFile::id).toList();
    }

    static List<String> notes(LaunchPlan plan) {
        return plan.notes().stream().map(Note::text).toList();
    }

    /** The lines of the host file that the scripts read. */
    static List<String> hosts(LaunchPlan plan) {
        return file(plan, "hosts").lines().toList();
    }

    static String text(Value value) {
        if (value.is(Value.Kind.LITERAL)) {
            return value.text();
        } else if (value.is(Value.Kind.PATH_OF)) {
            return "<" + value.text() + ">";
        } else if (value.is(Value.Kind.PRIVATE_DIRECTORY)) {
            return "<private>";
        } else if (value.is(Value.Kind.SUPERVISOR)) {
            return "<muster>";
        }
        return String.join("", value.parts().stream().map(Plans::text).toList());
    }
}
