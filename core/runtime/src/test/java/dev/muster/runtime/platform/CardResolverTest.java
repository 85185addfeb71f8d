package dev.muster.runtime.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.muster.runtime.config.Command;
import dev.muster.runtime.errors.MusterException;
import dev.muster.spi.CardChoice;
import dev.muster.spi.EngineDescriptor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which source decides when several tell the cards. */
class CardResolverTest {

    private static final String ENGINES = """
            gpu CUDA_VISIBLE_DEVICES
            npu ASCEND_*
            any PATH
            """;

    @TempDir
    Path root;

    private static EngineDescriptor engine(String name) {
        String variable = ENGINES.lines()
                .filter(line -> line.startsWith(name))
                .findFirst()
                .orElseThrow();
        return EngineDescriptor.of(name, "for tests").withVariables(variable.substring(name.length() + 1));
    }

    /** @param words {@code NAME=VALUE}, {@code --option=VALUE} or {@code files N-M}, with spaces between them */
    private ResolvedJob resolved(String engine, String words) {
        Map<String, String> environment = new TreeMap<>();
        Map<String, String> files = new TreeMap<>();
        List<String> options = new ArrayList<>();
        for (String word : words == null ? new String[0] : words.split(" ", -1)) {
            String[] both = word.split("=", 2);
            if (both[0].startsWith("--")) {
                options.addAll(List.of(both[0].substring(2), both[1]));
            } else if (both[0].startsWith("/dev/")) {
                List.of(both[1].split(",", -1)).forEach(number -> files.put(both[0] + number, ""));
            } else {
                environment.put(both[0], both[1]);
            }
        }
        files.put("/dev/nvidiactl", "");
        files.put("/dev/davinci_manager", "");
        Recorded node = new Recorded("case", "", 0, 0, "", "host", environment, files, Map.of());
        return node.jobOf(root, engine(engine), KnownPlatform.ALL, Command.LAUNCH, options.toArray(String[]::new));
    }

    private static String text(CardChoice choice) {
        int known = choice.count().orElse(choice.usable().size());
        return known + " " + choice.ids() + " by " + choice.origin();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // An option chooses from the usable cards.
                "gpu | --card-ids=5,4 CUDA_VISIBLE_DEVICES=4,5,6 | 2 [5, 4] by --card-ids",
                "gpu | --card-ids=1 /dev/nvidia=0,1 | 1 [1] by --card-ids",
                "gpu | --card-ids=0 /dev/nvidia=4,5 | 1 [0] by --card-ids",
                "gpu | --card-ids=6,7 | 2 [6, 7] by --card-ids",
                "gpu | --cards=1 CUDA_VISIBLE_DEVICES=4,5 SLURM_GPUS_ON_NODE=2 | 1 [] by --cards",
                "gpu | --cards=3 | 3 [] by --cards",
                "gpu | --cards=3 CUDA_VISIBLE_DEVICES=-1 /dev/nvidia=0 | 3 [] by --cards",
                "npu | --cards=2 ASCEND_RT_VISIBLE_DEVICES=2,3 | 2 [] by --cards",
                "any | --cards=2 ASCEND_RT_VISIBLE_DEVICES=2,3 | 2 [] by --cards",
                // The variable wins over device files, and over the variable of the other vendor.
                "gpu | CUDA_VISIBLE_DEVICES=1 /dev/nvidia=0,1 | 1 [] by CUDA_VISIBLE_DEVICES",
                "gpu | CUDA_VISIBLE_DEVICES=GPU-89,MIG-GPU-8/1/0 /dev/nvidia=0 | 2 [] by CUDA_VISIBLE_DEVICES",
                "gpu | CUDA_VISIBLE_DEVICES=0,-1,1 | 1 [] by CUDA_VISIBLE_DEVICES",
                "gpu | CUDA_VISIBLE_DEVICES= /dev/nvidia=0 | 0 [] by CUDA_VISIBLE_DEVICES",
                "gpu | CUDA_VISIBLE_DEVICES=NoDevFiles /dev/nvidia=0 | 0 [] by CUDA_VISIBLE_DEVICES",
                "gpu | ASCEND_RT_VISIBLE_DEVICES=0 /dev/nvidia=0,1,10 | 3 [] by /dev/nvidia*",
                "npu | ASCEND_RT_VISIBLE_DEVICES=0,4 CUDA_VISIBLE_DEVICES=1 | 2 [] by ASCEND_RT_VISIBLE_DEVICES",
                "npu | /dev/davinci=0,1,2 /dev/nvidia=0 | 3 [] by /dev/davinci*",
                "gpu | | 0 [] by /dev/nvidia*",
                // If the engine owns no card variable, Muster counts no cards for it.
                "any | CUDA_VISIBLE_DEVICES=0,1 /dev/nvidia=0,1 | 0 [] by default",
                // The platform's number is an upper limit.
                "gpu | SLURM_GPUS_ON_NODE=2 /dev/nvidia=0,1,2,3 | 2 [] by SLURM_GPUS_ON_NODE",
                "gpu | SLURM_GPUS_ON_NODE=2 CUDA_VISIBLE_DEVICES=4,5 | 2 [] by SLURM_GPUS_ON_NODE",
                "gpu | SLURM_GPUS_ON_NODE=2 CUDA_VISIBLE_DEVICES=1 | 1 [] by CUDA_VISIBLE_DEVICES",
                "gpu | SLURM_GPUS_ON_NODE=2 CUDA_VISIBLE_DEVICES=0,1,2,3 | 2 [] by SLURM_GPUS_ON_NODE",
                "any | SLURM_GPUS_ON_NODE=2 CUDA_VISIBLE_DEVICES=1 | 1 [] by CUDA_VISIBLE_DEVICES",
                // A simulation has no real cards, so the option wins.
                "gpu | MUSTER_JOB=j --cards=4 CUDA_VISIBLE_DEVICES=0 /dev/nvidia=0 | 4 [] by --cards",
            })
    void oneRuleSaysWhichSourceWins(String engine, String words, String choice) {
        assertThat(text(resolved(engine, slurm(words)).node().cards())).isEqualTo(choice);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gpu | --card-ids=6 CUDA_VISIBLE_DEVICES=4,5 | --card-ids asks for card 6 | CUDA_VISIBLE_DEVICES=4,5",
                "any | --card-ids=6 ASCEND_RT_VISIBLE_DEVICES=4 | --card-ids asks for card 6 | VISIBLE_DEVICES=4 does not",
                "gpu | --card-ids=0 CUDA_VISIBLE_DEVICES=GPU-89 | --card-ids asks for card 0 | CUDA_VISIBLE_DEVICES=GPU-89",
                "gpu | --card-ids=4 /dev/nvidia=0,1,2,3 | --card-ids asks for card 4 | /dev has cards 0,1,2,3 only",
                "gpu | --cards=8 CUDA_VISIBLE_DEVICES=0,1,2,3 | --cards asks for 8 cards | Give --cards 4 or less",
                "gpu | MUSTER_CARDS=8 CUDA_VISIBLE_DEVICES=0 | MUSTER_CARDS asks for 8 cards | Give --cards 1 or less",
                "npu | --cards=2 /dev/davinci=0 | --cards asks for 2 cards | /dev has cards 0 only",
                "gpu | SLURM_GPUS_ON_NODE=2 /dev/nvidia=0 | SLURM_GPUS_ON_NODE=2 speaks of 2 | /dev has cards 0 only",
                "gpu | CUDA_VISIBLE_DEVICES=4 /dev/nvidia=0,1 | CUDA_VISIBLE_DEVICES=4 names card 4 | cards 0,1 only",
                "gpu | CUDA_VISIBLE_DEVICES=0,0 | \"0,0\" in CUDA_VISIBLE_DEVICES | Write it as 0,1,2",
                "gpu | CUDA_VISIBLE_DEVICES=0-3 | \"0-3\" in CUDA_VISIBLE_DEVICES | Write it as 0,1,2",
                "npu | ASCEND_RT_VISIBLE_DEVICES=0,,1 | \"0,,1\" in ASCEND_RT_VISIBLE_DEVICES | Write it as 0,1,2",
            })
    void aContradictionIsRefused(String engine, String words, String first, String second) {
        MusterException refused = catchThrowableOfType(MusterException.class, () -> resolved(engine, slurm(words)));

        assertThat(refused).hasMessageContainingAll(first, second);
        assertThat(refused.exitCode().code()).isEqualTo(78);
    }

    @Test
    void aPlatformThatContradictsAVariableIsSaid() {
        assertThat(resolved("gpu", slurm("SLURM_GPUS_ON_NODE=2 CUDA_VISIBLE_DEVICES=1"))
                        .warnings())
                .containsExactly("SLURM_GPUS_ON_NODE=2, but CUDA_VISIBLE_DEVICES=1 allows 1: 1 of the cards are used."
                        + " --cards says which number is meant");
    }

    @Test
    void chosenCardsAreAllThatRanksOfAnyEngineSee() {
        CardChoice chosen = resolved("any", "--card-ids=6,7").node().cards();

        assertThat(CardResolver.visible(engine("any"), chosen))
                .isEqualTo(Map.of("ASCEND_RT_VISIBLE_DEVICES", "6,7", "CUDA_VISIBLE_DEVICES", "6,7"));
        assertThat(CardResolver.visible(engine("gpu"), chosen)).isEmpty();
        assertThat(CardResolver.visible(engine("any"), CardChoice.NONE)).isEmpty();
    }

    /** Adds the other variables of a one-node step where a case has a variable of Slurm. */
    private static String slurm(String words) {
        return words == null || !words.contains("SLURM_")
                ? words
                : words + " SLURM_JOB_ID=1 SLURM_STEP_ID=0 SLURM_NNODES=1 SLURM_NODEID=0 SLURM_NTASKS=1"
                        + " SLURM_STEP_NODELIST=n1 SLURM_STEP_NUM_NODES=1 SLURMD_NODENAME=n1";
    }
}
