package dev.muster.runtime.link;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a launcher calls its run in its hello. Where there are no restarts it is a word that tells two starts of a launcher apart;
 * where there are, it says also how far that launcher has come.
 *
 * @param launcher the same in all runs of one start of a launcher
 * @param number of the run, from 1
 * @param used restarts
 * @param limit of restarts
 * @param serial of the link
 */
record RunName(String launcher, int number, int used, int limit, int serial) {

    private static final Pattern WITH_COUNT =
            Pattern.compile("([0-9a-zA-Z]+)-(\\d{1,9})-(\\d{1,9})-(\\d{1,9})-(\\d{1,9})");

    static RunName of(LinkRun run) {
        return new RunName(run.launcher(), run.number(), run.used(), run.limit(), run.serial());
    }

    static RunName read(String text) {
        Matcher matcher = WITH_COUNT.matcher(text);
        return matcher.matches()
                ? new RunName(
                        matcher.group(1),
                        Math.max(1, number(matcher, 2)),
                        number(matcher, 3),
                        number(matcher, 4),
                        number(matcher, 5))
                : new RunName(text, 1, 0, 0, 0);
    }

    private static int number(Matcher matcher, int group) {
        return Integer.parseInt(matcher.group(group));
    }

    String text() {
        return limit == 0 ? launcher : launcher + "-" + number + "-" + used + "-" + limit + "-" + serial;
    }

    /** Whether this launcher was not there in the run before this one of the job. */
    boolean isFresh() {
        return number == 1;
    }
}
