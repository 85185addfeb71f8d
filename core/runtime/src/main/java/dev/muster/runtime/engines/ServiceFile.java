package dev.muster.runtime.engines;

import dev.muster.spi.Engine;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads what names the classes of engines, as text: {@link java.util.ServiceLoader} would load and make them. */
final class ServiceFile {

    /** Where it is in a jar. */
    static final String NAME = "META-INF/services/" + Engine.class.getName();

    private static final int LONGEST = 1 << 16;

    /**
     * A line of the file.
     *
     * @param type the class of an engine
     * @param card what the line's comment says: in the launcher's own jar {@code ID; summary}
     */
    record Provider(String type, Optional<NameCard> card) {}

    private ServiceFile() {}

    /** @throws IOException when it cannot be read, or names something that is no class */
    static List<Provider> read(InputStream file) throws IOException {
        String text = new String(file.readNBytes(LONGEST), StandardCharsets.UTF_8);
        List<Provider> providers = new ArrayList<>();
        for (String line : text.lines().toList()) {
            int comment = line.indexOf('#');
            String type = (comment < 0 ? line : line.substring(0, comment)).strip();
            if (!type.isEmpty()) {
                Optional<NameCard> card = comment < 0 ? Optional.empty() : NameCard.read(line.substring(comment + 1));
                providers.add(new Provider(required(type), card));
            }
        }
        return providers;
    }

    private static String required(String type) throws IOException {
        boolean isName = type.chars().allMatch(each -> Character.isJavaIdentifierPart(each) || each == '.');
        if (!isName) {
            throw new IOException("\"" + type + "\" in " + NAME + " is no name of a class");
        }
        return type;
    }
}
