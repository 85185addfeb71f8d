package dev.muster.runtime.plan;

import dev.muster.runtime.files.ReadableFiles;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.GeneratedFile;
import dev.muster.spi.JobDirectories;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.RequiredDirectory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Files and directories: names, and where they may lie. */
final class PlaceRules {

    private final Problems problems;
    private final List<Path> bases = new ArrayList<>(3);

    PlaceRules(JobDirectories places, Problems problems) {
        this.problems = problems;
        bases.add(Path.of(places.workDirectory()).normalize());
        bases.add(Path.of(places.logDirectory()).normalize());
        places.tableDirectory().ifPresent(table -> bases.add(Path.of(table).normalize()));
    }

    void check(LaunchPlan plan) {
        for (RequiredDirectory directory : plan.directories()) {
            String what = "directory " + Printable.quote(directory.path());
            if (directory.required()) {
                checkInside(directory.path(), what);
            } else {
                problems.require(isAbsolute(directory.path()), what + " is not absolute");
            }
        }
        Set<String> ids = new HashSet<>();
        Set<String> targets = new HashSet<>();
        for (GeneratedFile file : plan.files()) {
            check(file, ids, targets);
        }
    }

    private void check(GeneratedFile file, Set<String> ids, Set<String> targets) {
        String what = "file " + Printable.quote(file.id());
        problems.require(!file.id().isEmpty(), "a file has an empty id");
        problems.require(ids.add(file.id()), what + " occurs twice");
        checkName(file.name(), what + " has the name", problems);
        String directory = file.directory().orElse("");
        problems.require(targets.add(directory + "/" + file.name()), what + " is written where another file is");
        if (file.directory().isPresent()) {
            checkInside(directory, what + " in " + Printable.quote(directory));
        }
    }

    private void checkInside(String path, String what) {
        if (!isAbsolute(path)) {
            problems.invalid(what + " is not absolute");
            return;
        }
        Path normal = Path.of(path).normalize();
        problems.require(
                bases.stream().anyMatch(normal::startsWith),
                what + " lies outside the work, log and table directories of the job");
    }

    static boolean isAbsolute(String path) {
        return ReadableFiles.path(path).filter(Path::isAbsolute).isPresent();
    }

    /** A name of one component that the file system takes. */
    static void checkName(String name, String what, Problems problems) {
        boolean isName = !name.isEmpty() && !name.equals(".") && !name.equals("..");
        boolean isOneComponent = name.indexOf('/') < 0 && name.indexOf('\0') < 0;
        problems.require(
                isName && isOneComponent && SizeRules.bytes(name) <= 255,
                what + " " + Printable.quote(name) + ", which is no file name");
    }
}
