package dev.muster.runtime.files;

import java.io.IOException;

/** A file or directory could not be made. The message names it, and why. The caller adds the remedy. */
public final class FileException extends IOException {

    private static final long serialVersionUID = 1L;

    FileException(String message) {
        super(message);
    }

    FileException(String message, IOException cause) {
        super(message, cause);
    }
}
