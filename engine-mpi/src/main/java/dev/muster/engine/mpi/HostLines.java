package dev.muster.engine.mpi;

import dev.muster.spi.GeneratedFile;
import dev.muster.spi.Note;
import dev.muster.spi.Value;
import dev.muster.spi.ValueText;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The hostfile for what starts the ranks: {@code ip slots=n}, or {@code ip:n} for Hydra.
 *
 * @param path where it is
 * @param form of the hostfile that the start script shall write; {@code given}: of none, but it shall find out where hosts are;
 *     {@code -}: not even that
 */
record HostLines(Value path, String form) {

    private static final String FILE = "hostfile";
    private static final String PLACES = "hosts";

    /** Somebody has written one. */
    private static final String GIVEN = "given";

    /** Nobody has to find out anything. */
    private static final String NOTHING = "-";

    /** This machine alone. */
    static HostLines local(MpiJob job, PlanBuilder plan) {
        GeneratedFile file = new GeneratedFile(
                FILE,
                Optional.empty(),
                FILE,
                new ValueText().line("localhost", room(form(job), job.ranks())).value());
        plan.parts.file(file);
        return new HostLines(file.path(), NOTHING);
    }

    /** All hosts in node order, by their addresses; or the file that somebody gave, where it will do. */
    static HostLines of(MpiJob job, PlanBuilder plan) {
        boolean areOurs = Sshd.of(job.spec()) != Sshd.NONE;
        Optional<Hostfile> given = job.hostfile();
        if (given.isEmpty()) {
            Value path = Value.joined(Value.privateDirectory(), Value.of("/" + FILE));
            return new HostLines(path, form(job).name().toLowerCase(Locale.ROOT).replace("_", ""));
        }
        String form = areOurs ? GIVEN : NOTHING;
        if (given.get().form() == form(job)) {
            return new HostLines(Value.of(given.get().path()), form);
        }
        plan.parts.note(Note.info(job.launcher().word() + " gets a copy of "
                + given.get().path() + " with the slots of every host in the form that it understands"));
        GeneratedFile file = new GeneratedFile(FILE, Optional.empty(), FILE, copy(job, given.get()));
        plan.parts.file(file);
        return new HostLines(file.path(), form);
    }

    /**
     * For the scripts: what ssh is told to find each host ({@code -}: nothing is), its name, how many ranks it takes, where it is.
     *
     * @param isCalledByNobody whether a host is this one, where no ssh leads to
     */
    static GeneratedFile places(MpiJob job, Predicate<MpiHost> isCalledByNobody) {
        ValueText text = new ValueText();
        for (int i = 0; i < job.assignment().hosts().size(); i++) {
            MpiHost host = job.assignment().hosts().get(i);
            text.line(
                    isCalledByNobody.test(host) ? "-" : host.login(),
                    " " + host.name() + " " + job.slotsOf(i) + " " + host.address());
        }
        return new GeneratedFile(PLACES, Optional.empty(), PLACES, text.value());
    }

    private static Value copy(MpiJob job, Hostfile hostfile) {
        ValueText text = new ValueText();
        for (Hostfile.Line line : hostfile.lines()) {
            text.line(line.host(), room(form(job), line.slots()));
        }
        return text.value();
    }

    private static Hostfile.Form form(MpiJob job) {
        boolean isOpenMpi =
                job.launcher() == Launcher.HOROVODRUN || job.mpi().kind().isOpenMpi();
        return isOpenMpi ? Hostfile.Form.OPEN_MPI : Hostfile.Form.HYDRA;
    }

    private static String room(Hostfile.Form form, int slots) {
        return (form == Hostfile.Form.OPEN_MPI ? " slots=" : ":") + slots;
    }
}
