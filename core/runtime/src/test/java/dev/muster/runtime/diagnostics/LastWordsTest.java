package dev.muster.runtime.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The lines that tell why a process failed. */
class LastWordsTest {

    private static final String TRACEBACK = "Traceback (most recent call last):\n";

    @Test
    void withoutABlockTheLastTenLinesCount() {
        assertThat(words(numbered(1, 12)))
                .containsExactly(IntStream.rangeClosed(3, 12)
                        .mapToObj(number -> "line " + number)
                        .toArray(String[]::new));
        assertThat(words("")).isEmpty();
        assertThat(words("\n \n")).isEmpty();
    }

    @Test
    void aLineOfThousandsOfPartsIsReadToo() {
        assertThat(words("x.y.".repeat(2048))).singleElement().asString().startsWith("x.y.x.y.");
        assertThat(words("a.".repeat(4000) + "XError: no\n")).hasSize(1);
    }

    @Test
    void whatTheReasonOfAnAbortIsStays() {
        assertThat(words(numbered(1, 20) + "terminate called after throwing an instance of 'c10::DistBackendError'\n"
                        + "  what():  Watchdog caught collective operation timeout\n"
                        + "Exception raised from checkTimeout (most recent call first):\n"
                        + "frame #0: a\nframe #1: b\nframe #2: c\nframe #3: d\n\n"))
                .startsWith("terminate called after throwing an instance of 'c10::DistBackendError'")
                .contains("  what():  Watchdog caught collective operation timeout");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "RuntimeError: [c10d] Connection closed by remote peer gpu3<48921>",
                "RuntimeError: [unbound_buffer.cc:81] Timed out waiting 1800000ms for recv operation to complete",
                "torch.distributed.DistBackendError: [Rank 0] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=7)",
                "RuntimeError: [1] is setting up NCCL communicator and retrieving ncclUniqueId from [0]: Socket Timeout",
                "torch.distributed.DistStoreError: wait timeout after 300000ms, keys: /default_pg/0//cpu//0/1",
                "torch.distributed.DistStoreError: Timed out after 601 seconds waiting for clients. 7/8 clients joined.",
                "RuntimeError: EI0002: The wait execution of the Notify register times out.",
                "horovod.common.exceptions.HorovodInternalError: Horovod has been shut down. This was caused by",
                "XlaRuntimeError: UNKNOWN: This most likely indicates that another task died"
            })
    void whoWaitsInVainForAnotherHasNoFailureOfItsOwn(String exception) {
        assertThat(LastWords.hasOwnFailure(TRACEBACK + "  File \"t.py\", line 3, in <module>\n" + exception + "\n"))
                .isFalse();
    }

    @Test
    void aTracebackBehindAProgressBarIsOne() {
        assertThat(words(numbered(1, 20) + " 98%|####| 59/60 [00:01<00:02]" + TRACEBACK
                        + "  File \"t.py\", line 3, in <module>\n    f()\nValueError: no\n"))
                .hasSize(4)
                .endsWith("ValueError: no");
    }

    @Test
    void aTracebackIsTakenFromItsBeginning() {
        assertThat(words(numbered(1, 20) + TRACEBACK
                        + "  File \"t.py\", line 3, in <module>\n    f()\nValueError: no\n"))
                .containsExactly(
                        "Traceback (most recent call last):",
                        "  File \"t.py\", line 3, in <module>",
                        "    f()",
                        "ValueError: no");
    }

    @Test
    void ofALongOneBeginningEndAndExceptionStay() {
        List<String> words = words(TRACEBACK + frames(20) + "ValueError: no\nsecond line of it\n\nbye\n");

        assertThat(words)
                .hasSize(12)
                .startsWith("Traceback (most recent call last):", "  File \"t.py\", line 1, in f", "    f1()")
                .endsWith("  File \"t.py\", line 20, in f", "    f20()", "ValueError: no", "second line of it", "bye")
                .containsOnlyOnce("... 33 lines");
    }

    @Test
    void theExceptionStaysHoweverLongItsMessageIs() {
        assertThat(words(TRACEBACK + frames(9) + "RuntimeError: no\n" + numbered(1, 30)))
                .hasSize(12)
                .contains("RuntimeError: no", "line 1")
                .endsWith("line 30");
    }

    @Test
    void ofAChainEveryExceptionStays() {
        List<String> words = words(TRACEBACK + frames(3) + "FileNotFoundError: x\n\n"
                + "The above exception was the direct cause of the following exception:\n\n" + TRACEBACK + frames(7)
                + "RuntimeError: y\n");

        assertThat(words)
                .hasSize(12)
                .contains(
                        "FileNotFoundError: x",
                        "The above exception was the direct cause of the following exception:",
                        "RuntimeError: y")
                .startsWith("Traceback (most recent call last):");
        assertThat(words(TRACEBACK
                        + "KeyError: 1\n\nDuring handling of the above exception, another exception occurred:\n\n"
                        + TRACEBACK + "ValueError: 2"))
                .startsWith("Traceback (most recent call last):", "KeyError: 1")
                .hasSize(5);
    }

    @Test
    void oneThatWasSurvivedIsNotTheCause() {
        String survived = TRACEBACK + "KeyError: 1\n\n" + numbered(1, 30);

        assertThat(LastWords.of(survived, text -> text, false)).hasSize(10).doesNotContain("KeyError: 1");
        assertThat(words(survived)).hasSize(12).contains("KeyError: 1").endsWith("line 30");
    }

    @Test
    void whatTheInterpreterIgnoresIsNotTheCause() {
        assertThat(words(TRACEBACK + "KeyError: 'real'\nException ignored in: <function A.__del__ at 0x7f>\n"
                        + TRACEBACK + "ValueError: in del\n"))
                .startsWith(
                        "Traceback (most recent call last):",
                        "KeyError: 'real'",
                        "Exception ignored in: <func" + "tion A.__del__ at 0x7f>");
    }

    @Test
    void aMarkBeforeEachLineIsNoHindrance() {
        assertThat(words("""
                        [rank3]: Traceback (most recent call last):
                        [rank3]:   File "t.py", line 3, in <module>
                        epoch 3
                        [rank3]: ValueError: no
                        """))
                .containsExactly(
                        "[rank3]: Traceback (most recent call last):",
                        "[rank3]:   File \"t.py\", line 3, in <module>",
                        "[rank3]: ValueError: no");
    }

    @Test
    void groupsOfExceptionsAreBlocks() {
        assertThat(words("""
                        working
                          + Exception Group Traceback (most recent call last):
                          |   File "t.py", line 4, in <module>
                          | ExceptionGroup: many (2 sub-exceptions)
                          +-+---------------- 1 ----------------
                            | ValueError: a
                            +------------------------------------
                        """))
                .hasSize(6)
                .contains("  | ExceptionGroup: many (2 sub-exceptions)", "    | ValueError: a");
    }

    @Test
    void otherRuntimesHaveBlocksToo() {
        assertThat(words(numbered(1, 9)
                        + "terminate called after throwing an instance of 'std::runtime_error'\n  what():  no card\n"))
                .containsExactly(
                        "terminate called after throwing an instance of 'std::runtime_error'", "  what():  no card");
        assertThat(words(numbered(1, 9)
                        + "Exception in thread \"main\" java.lang.IllegalStateException: x\n\tat A.main(A.java:3)\n"
                        + "Caused by: java.io.IOException: y\n\t... 3 more\n"))
                .startsWith("Exception in thread \"main\" java.lang.IllegalStateException: x")
                .endsWith("Caused by: java.io.IOException: y", "    ... 3 more")
                .hasSize(4);
        assertThat(words(numbered(1, 9)
                        + "Fatal Python error: Segmentation fault\n\nCurrent thread 0x1 (most recent call first):\n"
                        + "  File \"<string>\", line 1 in <module>\n"))
                .startsWith("Fatal Python error: Segmentation fault")
                .hasSize(3);
    }

    @Test
    void whatControlsATerminalIsTakenOut() {
        assertThat(words("\u001b[1;31mred\u001b[0m\ta\u001b]0;title\u0007\u0007\u0000\n\u001b[2K\u001b(Bx"))
                .containsExactly("red    a\\u0007\\u0000", "x");
        assertThat(words("x".repeat(400))).containsExactly("x".repeat(300) + "... (400 characters)");
    }

    @Test
    void secretsAreMaskedAlsoWhereColoursStandInThem() {
        assertThat(LastWords.of("key hun\u001b[1mter22\n", text -> text.replace("hunter22", "******"), true))
                .containsExactly("key ******");
    }

    private static List<String> words(String output) {
        return LastWords.of(output, text -> text, true);
    }

    private static String numbered(int first, int last) {
        return IntStream.rangeClosed(first, last)
                .mapToObj(number -> "line " + number + "\n")
                .collect(Collectors.joining());
    }

    private static String frames(int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(number -> "  File \"t.py\", line " + number + ", in f\n    f" + number + "()\n")
                .collect(Collectors.joining());
    }
}
