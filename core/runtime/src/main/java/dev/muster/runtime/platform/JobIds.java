package dev.muster.runtime.platform;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.errors.MusterException;
import dev.muster.spi.OptionValue;
import java.time.Clock;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Optional;

/** Decides the job's id: the one given, else the platform's, else one made from time and pid. Some platforms fix it. */
final class JobIds {

    private JobIds() {}

    /** @throws MusterException when the platform should have named the job, and neither it nor anybody else did */
    static Setting decide(Platform platform, Settings settings, Clock clock, long pid) {
        Optional<OptionValue> platforms = platform.jobId();
        Optional<Setting> ofPlatform =
                platforms.map(id -> Setting.ofPlatform(OptionTable.JOB_ID, id.value(), id.origin()));
        Optional<Setting> given = settings.find(OptionTable.JOB_ID);
        Optional<Setting> id = platform.fixesJobId() ? ofPlatform.or(() -> given) : given.or(() -> ofPlatform);
        if (id.isPresent()) {
            return id.get();
        }
        Optional<String> missing = platform.whatIsMissing();
        if (missing.isPresent()) {
            throw MusterException.configuration(missing.get());
        }
        return Setting.ofDefault(OptionTable.JOB_ID, made(clock, pid));
    }

    /** {@code muster-20261121-093000-4711}, in UTC. */
    private static String made(Clock clock, long pid) {
        LocalDateTime time = LocalDateTime.ofInstant(clock.instant(), ZoneOffset.UTC);
        return "muster-" + time.getYear() + two(time.getMonthValue()) + two(time.getDayOfMonth()) + "-"
                + two(time.getHour()) + two(time.getMinute()) + two(time.getSecond()) + "-" + pid;
    }

    private static String two(int number) {
        return number < 10 ? "0" + number : Integer.toString(number);
    }
}
