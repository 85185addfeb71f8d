package dev.muster.runtime.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which commands only wait for a child. */
class WrapperCommandsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/bin/sh -c train",
                "/usr/bin/bash run.sh",
                "/opt/conda/bin/conda run -n env python train.py",
                "/venv/bin/accelerate launch train.py",
                "/usr/bin/env A=1 -i bash run.sh",
                "/usr/bin/nice -n 5 bash run.sh",
                "/usr/bin/python3 -m accelerate.commands.launch train.py",
                "/usr/bin/python3 -u -X dev -m accelerate.commands.launch train.py",
                "/usr/bin/python3 /venv/bin/accelerate launch train.py"
            })
    void wait(String command) {
        assertThat(WrapperCommands.contain(List.of(command.split(" ", -1)))).isTrue();
    }

    @Test
    void aLongCommandIsReadToItsEnd() {
        String text = "exec python3 train.py" + " --option=value".repeat(10_000);

        assertThat(WrapperCommands.contain(List.of("bash", "-lc", text))).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "exec python3 train.py > log 2>&1~false",
                "cd /code && . ./env.sh; exec python3 train.py~false",
                "exec python3 train.py; echo done~true",
                "exec python3 train.py & wait~true",
                "python3 exec train.py~true",
                "exec python3 train.py | tee log~true",
                "exec 2>log; python3 train.py~true",
                "test -f x || exit 1; exec python3 train.py &> log~false",
                "(cd /code; exec python3 train.py)~true",
                "python3 train.py --note 'a; exec b'~true",
                "exec conda run -n e python3 train.py~true"
            })
    void aShellThatBecomesItsLastCommandDoesNotWait(String text, boolean waits) {
        assertThat(WrapperCommands.contain(List.of("/usr/bin/bash", "-c", text)))
                .isEqualTo(waits);
    }

    @ParameterizedTest
    @CsvSource({"/bin/sh -c train,sh", "/usr/bin/env bash run.sh,*", "/usr/bin/time train,*", "/usr/bin/train,''"})
    void aShellHasANameByWhichItIsKnown(String command, String name) {
        assertThat(WrapperCommands.nameIn(List.of(command.split(" ")))).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/usr/bin/python3 train.py",
                "/usr/bin/python3",
                "/usr/bin/python3 -u train.py bash",
                "/usr/bin/env A=1 python3 train.py",
                "/usr/bin/taskset -c 0,1 python3 train.py time",
                "/usr/bin/nice -n 5 python3 train.py zsh",
                "/opt/conda/bin/conda info",
                "/usr/local/bin/train"
            })
    void work(String command) {
        assertThat(WrapperCommands.contain(List.of(command.split(" ", -1)))).isFalse();
    }
}
