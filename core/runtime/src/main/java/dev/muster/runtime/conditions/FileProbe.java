package dev.muster.runtime.conditions;

import dev.muster.runtime.files.Reasons;
import dev.muster.spi.Condition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/** Looks whether a file is ready. */
final class FileProbe implements Probe {

    private final Condition condition;
    private final Path path;
    private final String name;
    private final Backoff backoff = new Backoff();
    private long due;
    private volatile String finding = "has not been looked at yet";
    private boolean isMet;

    /**
     * @param path what to look at
     * @param name how messages call it
     */
    FileProbe(Condition condition, Path path, String name, long now) {
        this.condition = condition;
        this.path = path;
        this.name = name;
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
        return name + " " + finding;
    }

    private String look() {
        try {
            BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
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
