package dev.muster.runtime.files;

import dev.muster.runtime.text.Printable;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Map;

/** Words for the reason why the system refused a file operation. */
public final class IoReasons {

    private static final Map<Class<?>, String> KNOWN = Map.of(
            AccessDeniedException.class, "permission denied",
            NoSuchFileException.class, "no such file or directory",
            NotDirectoryException.class, "not a directory",
            FileAlreadyExistsException.class, "it exists already",
            FileSystemLoopException.class, "too many levels of symbolic links",
            MalformedInputException.class, "it is no UTF-8 text");

    private IoReasons() {}

    /** For example {@code permission denied} or {@code no space left on device}; never the name of the file. */
    public static String of(IOException problem) {
        String known = KNOWN.get(problem.getClass());
        if (known != null) {
            return known;
        }
        String words = problem instanceof FileSystemException system ? system.getReason() : problem.getMessage();
        return words == null || words.isBlank()
                ? problem.getClass().getSimpleName()
                : decapitalize(Printable.escape(words));
    }

    /** The system's words start with a capital letter. */
    private static String decapitalize(String words) {
        boolean isAcronym = words.length() > 1 && Character.isUpperCase(words.charAt(1));
        return isAcronym ? words : Character.toLowerCase(words.charAt(0)) + words.substring(1);
    }
}
