package dev.muster.runtime.link;

import dev.muster.runtime.files.RandomText;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * For which run of its job a launcher opens a link. Where a job may restart in place there is a link for each of its runs, and
 * whoever opens one says by it how far it has come.
 *
 * @param launcher what this start of the launcher calls itself, in all runs
 * @param number of the run, from 1
 * @param limit how many there may be; 0: there is one run, and one link for it
 * @param serial how many links this launcher has opened before
 * @param before what the launchers of the run before called themselves, by their names: a leader knows all, a member its leader
 * @param retired what launchers called themselves whose places others have taken since
 */
public record LinkRun(
        String launcher, int number, int limit, int serial, Map<String, String> before, Set<String> retired) {

    private static final int BYTES = 8;
    private static final Pattern WITH_COUNT = Pattern.compile("([0-9a-zA-Z]+)-(\\d{1,9})-(\\d{1,9})-(\\d{1,9})");

    /** What a launcher calls its run in its hello. */
    static LinkRun read(String text) {
        Matcher matcher = WITH_COUNT.matcher(text);
        if (!matcher.matches()) {
            return new LinkRun(text, 1, 0, 0, Map.of(), Set.of());
        }
        int number = Math.max(1, Integer.parseInt(matcher.group(2)));
        int limit = Integer.parseInt(matcher.group(3));
        return new LinkRun(matcher.group(1), number, limit, Integer.parseInt(matcher.group(4)), Map.of(), Set.of());
    }

    /**
     * What {@link #read} reads. Where there are no restarts it is a word that tells two starts of a launcher apart; where there are,
     * it says also how far that launcher has come.
     */
    String text() {
        return limit == 0 ? launcher : launcher + "-" + number + "-" + limit + "-" + serial;
    }

    /** Whether this launcher was not there in the run before this one of the job. */
    boolean isFresh() {
        return number == 1;
    }

    /** The first run of a launcher. */
    public static LinkRun first(int limit) {
        return new LinkRun(RandomText.hexadecimal(BYTES), 1, limit, 0, Map.of(), Set.of());
    }

    /** The next link of the same launcher, for this run. */
    public LinkRun next(int nextNumber) {
        return new LinkRun(launcher, nextNumber, limit, serial + 1, before, retired);
    }

    /** The same after the run has begun. */
    public LinkRun begun(LinkEvent.Begin begin) {
        return new LinkRun(launcher, begin.number(), limit, serial, begin.launchers(), begin.retired());
    }

    /** Whether launchers wait for each other before the run begins. */
    boolean gathers() {
        return limit > 0;
    }
}
