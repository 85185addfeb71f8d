package dev.muster.runtime.conditions;

import dev.muster.runtime.files.Reasons;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.Condition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/** Looks whether a file is ready. */
final class FileProbe implements Probe {

    private final Condition.FileReady condition;
    private final Backoff backoff = new Backoff();
    private long due;
    private volatile String finding = "has not been looked at yet";
    private boolean isMet;

    FileProbe(Condition.FileReady condition, long now) {
        this.condition = condition;
        this.due = now;
    }

    @Override
    public Condition condition() {
        return condition;
    }

    @Override
    public long due() {
        return due;
    }

    @Override
    public void step(long now) {
        String found = look();
        isMet = found.isEmpty();
        finding = found;
        due = now + backoff.next();
    }

    @Override
    public boolean isMet() {
        return isMet;
    }

    @Override
    public String reason() {
        return "file " + Printable.escape(condition.path()) + " " + finding;
    }

    private String look() {
        try {
            BasicFileAttributes attributes = Files.readAttributes(Path.of(condition.path()), BasicFileAttributes.class);
            if (!attributes.isRegularFile()) {
                return "is not a regular file";
            }
            return attributes.size() == 0 ? "is empty" : "";
        } catch (NoSuchFileException e) {
            return "does not exist";
        } catch (IOException e) {
            return "cannot be looked at (" + Reasons.of(e) + ")";
        }
    }
}
