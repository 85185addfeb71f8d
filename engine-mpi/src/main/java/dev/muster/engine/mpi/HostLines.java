package dev.muster.engine.mpi;

import dev.muster.spi.FileToWrite;
import dev.muster.spi.Note;
import dev.muster.spi.Value;
import dev.muster.spi.ValueText;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The hostfile for what starts the ranks: {@code ip slots=n}, or {@code ip:n} for Hydra. */
final class HostLines {

    private static final String FILE = "hostfile";
    private static final String PLACES = "hosts";

    private HostLines() {}

    /** This machine alone. */
    static FileToWrite local(MpiJob job) {
        return new FileToWrite(
                FILE,
                Optional.empty(),
                FILE,
                new ValueText().line("localhost", room(form(job), job.ranks())).value());
    }

    /** All hosts in node order, by the addresses at which they answered; or the file that somebody gave, where it will do. */
    static Value of(MpiJob job, Parts parts) {
        Optional<Hostfile> given = job.hostfile();
        if (given.isPresent() && given.get().form() == form(job)) {
            return Value.of(given.get().path());
        }
        given.ifPresent(hostfile -> parts.note(Note.info(job.launcher().word() + " gets a copy of " + hostfile.path()
                + " with the slots of every host in the form that it understands")));
        Value text = given.map(hostfile -> given(job, hostfile)).orElseGet(() -> addresses(job));
        FileToWrite file = new FileToWrite(FILE, Optional.empty(), FILE, text);
        parts.files(List.of(file));
        return file.path();
    }

    /**
     * For the scripts: what ssh is told to find each host ({@code -}: nothing is), its name, how many ranks it takes, its address.
     *
     * @param ssh how hosts are called
     * @param isCalledByNobody whether a host is this one, where no ssh leads to
     */
    static FileToWrite places(MpiJob job, Ssh ssh, Predicate<MpiHost> isCalledByNobody) {
        ValueText text = new ValueText();
        for (int i = 0; i < job.seat().hosts().size(); i++) {
            MpiHost host = job.seat().hosts().get(i);
            // Where hosts serve ssh themselves, ssh alone knows where a name leads.
            Value address = ssh.sshd() == Sshd.NONE ? Value.of(host.address()) : new Value.AddressOf(host.address());
            text.line(
                    isCalledByNobody.test(host) ? "-" : host.login(),
                    " " + host.name() + " " + job.slotsOf(i) + " ",
                    address);
        }
        return new FileToWrite(PLACES, Optional.empty(), PLACES, text.value());
    }

    private static Value addresses(MpiJob job) {
        ValueText text = new ValueText();
        for (MpiHost host : job.seat().hosts()) {
            text.line(
                    new Value.AddressOf(host.address()),
                    room(form(job), job.slots().number()));
        }
        return text.value();
    }

    private static Value given(MpiJob job, Hostfile hostfile) {
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
