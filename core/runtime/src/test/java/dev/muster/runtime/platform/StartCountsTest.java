package dev.muster.runtime.platform;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What platforms tell of how often they have started a job. */
class StartCountsTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "MA_VJ_NAME=j; MA_PROC_START_CNT=3; MA_SCHEDULE_CNT=2; MA_PROC_START_CNT=3, MA_SCHEDULE_CNT=2",
                "MA_VJ_NAME=j; MA_PROC_START_CNT=; MA_SCHEDULE_CNT=1; MA_SCHEDULE_CNT=1",
                "SLURM_JOB_ID=7; SLURM_RESTART_COUNT=12; X=; SLURM_RESTART_COUNT=12",
                "JOB_COMPLETION_INDEX=0; JOBSET_RESTART_ATTEMPT=0; X=; JOBSET_RESTART_ATTEMPT=0"
            })
    @DisplayName("13.2 every count that a platform has is told, with its variable")
    void countsAreTold(String sign, String one, String other, String told) {
        Site site = site(sign, one, other);
        assertThat(site.startCounts()).contains(told);
        assertThat(site.warnings()).isEmpty();
    }

    @Test
    @DisplayName("13.2 where a platform does not count nothing is told, and nobody else's count is")
    void nothingIsToldWithoutACount() {
        assertThat(site("SLURM_JOB_ID=7", "MA_PROC_START_CNT=2", "X=").startCounts())
                .isEmpty();
        assertThat(site("X=", "SLURM_RESTART_COUNT=2", "Y=").startCounts()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"twice", "-1", "1.0", "99999999999999999999", "1 2", "\u001b[2J", "a\nb", "٣"})
    @DisplayName("13.2 a count that is none is a warning that names it, and no job fails for it")
    void aCountThatIsNoneIsAWarning(String value) {
        for (String[] each :
                new String[][] {{"SLURM_JOB_ID=7", "SLURM_RESTART_COUNT"}, {"MA_VJ_NAME=j", "MA_PROC_START_CNT"}}) {
            Site site = site(each[0], each[1] + "=" + value, "MA_SCHEDULE_CNT=4");
            assertThat(site.startCounts().orElse("")).doesNotContain(each[1]);
            assertThat(site.warnings())
                    .anyMatch(warning ->
                            warning.startsWith(each[1] + "=\"") && warning.contains("is not a whole number 0.."))
                    .noneMatch(warning -> warning.chars().anyMatch(Character::isISOControl));
        }
    }

    private static Site site(String sign, String one, String other) {
        return TestSites.read(Map.ofEntries(entry(sign), entry(one), entry(other), instance(sign)), options(sign));
    }

    private static Map.Entry<String, String> instance(String sign) {
        return entry(sign.startsWith("MA_") ? "MA_CURRENT_INSTANCE_NAME=i" : "Z=");
    }

    /** What the variables do not tell, since there are no others. */
    private static String[] options(String sign) {
        if (sign.startsWith("SLURM_")) {
            return new String[] {"hosts", "a", "node-index", "0", "grace", "9s"};
        }
        return sign.startsWith("JOB_") ? new String[] {"nodes", "1", "platform", "jobset"} : new String[] {};
    }

    private static Map.Entry<String, String> entry(String assignment) {
        String[] words = assignment.split("=", 2);
        return Map.entry(words[0], words[1]);
    }
}
