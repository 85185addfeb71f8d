package dev.muster.runtime.process;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * How one environment differs from another. What is the same in both is not looked at, so that names and values that are no
 * text stay as they are.
 *
 * @param set new variables, and those with a new value
 * @param removed variables that are gone
 * @param unreadable variables whose name or new value is no UTF-8: as far as the name can be shown
 */
public record VariableChanges(SortedMap<String, String> set, SortedSet<String> removed, SortedSet<String> unreadable) {

    /** What every shell changes for itself. */
    private static final Set<String> OF_SHELL = Set.of("_", "SHLVL", "PWD", "OLDPWD");

    /** What the scripts around others' scripts use. */
    private static final String OWN = "muster_";

    public VariableChanges {
        set = Collections.unmodifiableSortedMap(new TreeMap<>(set));
        removed = Collections.unmodifiableSortedSet(new TreeSet<>(removed));
        unreadable = Collections.unmodifiableSortedSet(new TreeSet<>(unreadable));
    }

    /**
     * Compares two environments.
     *
     * @param before entries {@code NAME=VALUE}, as {@code env -0} gives them
     * @param after the same, later
     */
    static VariableChanges between(List<byte[]> before, List<byte[]> after) {
        Map<String, byte[]> earlier = byName(before);
        Map<String, byte[]> later = byName(after);
        SortedMap<String, String> set = new TreeMap<>();
        SortedSet<String> removed = new TreeSet<>();
        SortedSet<String> unreadable = new TreeSet<>();
        later.forEach((key, value) -> {
            if (!Arrays.equals(value, earlier.get(key))) {
                Optional<String> name = text(key.getBytes(StandardCharsets.ISO_8859_1));
                Optional<String> text = text(value);
                if (name.isPresent() && text.isPresent()) {
                    set.put(name.get(), text.get());
                } else {
                    unreadable.add(name.orElse(key));
                }
            }
        });
        earlier.keySet().stream().filter(key -> !later.containsKey(key)).forEach(key -> {
            Optional<String> name = text(key.getBytes(StandardCharsets.ISO_8859_1));
            (name.isPresent() ? removed : unreadable).add(name.orElse(key));
        });
        return new VariableChanges(set, removed, unreadable);
    }

    /** Keys have a character for every byte. */
    private static Map<String, byte[]> byName(List<byte[]> entries) {
        Map<String, byte[]> variables = new TreeMap<>();
        for (byte[] entry : entries) {
            String text = new String(entry, StandardCharsets.ISO_8859_1);
            int end = text.indexOf('=');
            if (end > 0 && !isOfShell(text.substring(0, end))) {
                variables.put(text.substring(0, end), Arrays.copyOfRange(entry, end + 1, entry.length));
            }
        }
        return variables;
    }

    private static boolean isOfShell(String name) {
        return OF_SHELL.contains(name) || name.startsWith(OWN);
    }

    private static Optional<String> text(byte[] bytes) {
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
        } catch (CharacterCodingException noText) {
            return Optional.empty();
        }
    }
}
