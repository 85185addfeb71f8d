package dev.muster.runtime.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class StackReaderTest {

    @Test
    void theMainThreadOfPySpyIsRead() {
        List<StackFrame> frames = StackReader.mainThread("""
                Process 7: python train.py
                Python v3.11.2 (/usr/bin/python3.11)

                Thread 9 (idle): "Thread-1 (watch)"
                    wait (/usr/lib/python3.11/threading.py:324)
                Thread 7 (active): "MainThread"
                    all_reduce (/usr/lib/python3/dist-packages/torch/distributed/distributed_c10d.py:1322)
                    step (odd name) (/work/train.py:88)
                    <module> (/work/train.py:120)
                """);
        assertThat(frames).hasSize(3);
        assertThat(StackFrame.headline(frames)).isEqualTo("all_reduce (train.py:88)");
        assertThat(StackFrame.isCollective(frames)).isTrue();
        assertThat(StackReader.mainThread("Error: no Python\n")).isEmpty();
    }

    @Test
    void theLastThreadOfFaulthandlerIsRead() {
        List<StackFrame> frames = StackReader.printedStack("""
                step 7
                Thread 0x00007f0000000001 (most recent call first):
                  File "/usr/lib/python3.11/threading.py", line 324 in wait

                Current thread 0x00007f0000000002 (most recent call first):
                  File "/work/data.py", line 41 in read
                  File "/work/train.py", line 88 in <module>
                step 8
                """);
        assertThat(StackFrame.headline(frames)).isEqualTo("read (data.py:41)");
        assertThat(StackFrame.isCollective(frames)).isFalse();
        assertThat(StackReader.printedStack("step 7\n")).isEmpty();
    }
}
