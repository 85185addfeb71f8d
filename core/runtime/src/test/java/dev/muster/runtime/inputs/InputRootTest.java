package dev.muster.runtime.inputs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class InputRootTest {

    private static final Path HERE = Path.of("/home/me");

    @Test
    void movesOnlyWhatBelongsToTheMachine() {
        InputRoot root = InputRoot.at(Path.of("/fake"));

        assertThat(root.resolve(HERE, "/etc/hccn.conf")).hasToString("/fake/etc/hccn.conf");
        assertThat(root.resolve(HERE, "/dev")).hasToString("/fake/dev");
        assertThat(root.resolve(HERE, "/etcetera/x")).hasToString("/etcetera/x");
        assertThat(root.resolve(HERE, "/user/config/etc")).hasToString("/user/config/etc");
        assertThat(root.resolve(HERE, "etc/x")).hasToString("/home/me/etc/x");
    }

    @Test
    void leavesTheMachineAlone() {
        assertThat(InputRoot.MACHINE.resolve(HERE, "/etc/hccn.conf")).hasToString("/etc/hccn.conf");
        assertThat(InputRoot.MACHINE.resolve(HERE, "x.json")).hasToString("/home/me/x.json");
    }
}
