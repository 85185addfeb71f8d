package dev.muster.runtime.files;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Keys that processes of a run have made for the whole job, in a directory that its nodes share. Where the job may start again in place
 * they stay as long as it goes on, whoever has made them: a new container could not meet the others without.
 */
final class JobKeys {

    /** With what they held. */
    private final Map<Path, String> keys = new LinkedHashMap<>();

    /** Remembers those of a private directory that is about to go. */
    void collect(Path directory) {
        for (Path key : Elsewhere.jobKeys(directory)) {
            String copy = FileDigest.of(directory.resolve(Elsewhere.KEY));
            if (!copy.isEmpty()) {
                keys.put(key, copy);
            }
        }
    }

    /** The job is over. Another one of the same name may have made another key by now, and needs it. */
    void remove() {
        keys.forEach((key, content) -> {
            if (content.equals(FileDigest.of(key))) {
                Directories.remove(key);
            }
        });
        keys.clear();
    }
}
