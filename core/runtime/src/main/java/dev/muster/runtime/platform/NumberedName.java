package dev.muster.runtime.platform;

import dev.muster.spi.Host;
import dev.muster.spi.OptionValue;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The name of one of several hosts that differ in a number: {@code job-worker-3} or {@code job-worker-3.domain}.
 *
 * @param stem what stands before the dash and the number
 * @param domain with its dot; empty: none
 */
record NumberedName(String stem, int number, String domain) {

    private static final Pattern FORM = Pattern.compile(
            "([A-Za-z0-9]|[A-Za-z0-9][A-Za-z0-9_-]{0,250}[A-Za-z0-9])-(0|[1-9][0-9]{0,5})(\\.[A-Za-z0-9._-]+)?");

    static Optional<NumberedName> of(String name) {
        Matcher form = FORM.matcher(name);
        return form.matches()
                ? Optional.of(new NumberedName(
                        form.group(1),
                        Integer.parseInt(form.group(2)),
                        Optional.ofNullable(form.group(3)).orElse("")))
                : Optional.empty();
    }

    /** The name in an address, if its number is 0 and its stem ends in one of these words. */
    static Optional<NumberedName> first(Optional<OptionValue> address, String... whats) {
        return address.flatMap(told -> of(told.value()))
                .filter(name -> name.number == 0 && name.before(whats).isPresent());
    }

    /** What stands before {@code -what}, if the stem ends with one of these: the job of {@code job-worker}. */
    Optional<String> before(String... whats) {
        return Stream.of(whats)
                .map(what -> "-" + what)
                .filter(end -> stem.endsWith(end) && stem.length() > end.length())
                .map(end -> stem.substring(0, stem.length() - end.length()))
                .findFirst();
    }

    /** The host with another number. */
    Host at(int other) {
        return Host.of(stem + "-" + other + domain, Optional.empty());
    }

    /** So many hosts, from number 0 on. */
    List<Host> first(int count) {
        return IntStream.range(0, count).mapToObj(this::at).toList();
    }

    /** The first part of a host's name. */
    static String label(String name) {
        int dot = name.indexOf('.');
        return dot < 0 ? name : name.substring(0, dot);
    }
}
