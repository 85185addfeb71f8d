package dev.muster.runtime.link;

import dev.muster.runtime.files.RandomText;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The attempt for which a launcher opens a link. A job that may restart in place has a link for each attempt. The hello carries this, so
 * that the other side knows how far the launcher has come.
 *
 * @param launcher random id of this start of the launcher, the same in all attempts
 * @param number of the attempt, from 1
 * @param limit the most restarts; 0: there is one attempt and one link
 * @param serial how many links this launcher opened before
 * @param before launcher ids of the attempt before, by name: a leader knows all, a member only its leader's
 * @param retired ids of launchers whose places others have taken since
 */
public record LinkRun(
        String launcher, int number, int limit, int serial, Map<String, String> before, Set<String> retired) {

    private static final int BYTES = 8;
    private static final Pattern WITH_COUNT = Pattern.compile("([0-9a-zA-Z]+)-(\\d{1,9})-(\\d{1,9})-(\\d{1,9})");

    /** Reads the {@link #text} in a hello. */
    static LinkRun read(String text) {
        Matcher matcher = WITH_COUNT.matcher(text);
        if (!matcher.matches()) {
            return new LinkRun(text, 1, 0, 0, Map.of(), Set.of());
        }
        int number = Math.max(1, Integer.parseInt(matcher.group(2)));
        int limit = Integer.parseInt(matcher.group(3));
        return new LinkRun(matcher.group(1), number, limit, Integer.parseInt(matcher.group(4)), Map.of(), Set.of());
    }

    /** The text form for the hello. It distinguishes two starts of a launcher. With restarts it also says how far the launcher has come. */
    String text() {
        return limit == 0 ? launcher : launcher + "-" + number + "-" + limit + "-" + serial;
    }

    /** Whether this launcher was not in the attempt before. */
    boolean isFresh() {
        return number == 1;
    }

    /** The first attempt of a launcher. */
    public static LinkRun first(int limit) {
        return new LinkRun(RandomText.hexadecimal(BYTES), 1, limit, 0, Map.of(), Set.of());
    }

    /** The next link of the same launcher, for this attempt. */
    public LinkRun next(int nextNumber) {
        return new LinkRun(launcher, nextNumber, limit, serial + 1, before, retired);
    }

    /** The same, after the attempt has begun. */
    public LinkRun begun(LinkEvent.Begin begin) {
        return new LinkRun(launcher, begin.number(), limit, serial, begin.launchers(), begin.retired());
    }

    /** Whether launchers wait for each other before the attempt. */
    boolean hasBarrier() {
        return limit > 0;
    }
}
