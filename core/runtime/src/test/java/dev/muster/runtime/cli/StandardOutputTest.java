package dev.muster.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StandardOutputTest {

    private final PrintStream before = System.out;

    @AfterEach
    void putBack() {
        System.setOut(before);
    }

    @Test
    void textIsWrittenInUtf8WhateverTheStreamsCharset() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        System.setOut(new PrintStream(bytes, false, StandardCharsets.US_ASCII));

        assertThat(StandardOutput.write("gr\u00f6\u00dfe\n")).isTrue();
        assertThat(bytes.toByteArray()).isEqualTo("gr\u00f6\u00dfe\n".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aStreamThatCannotBeWrittenIsTold() {
        System.setOut(new PrintStream(new OutputStream() {
            @Override
            public void write(int data) throws IOException {
                throw new IOException("closed");
            }
        }));

        assertThat(StandardOutput.write("x\n")).isFalse();
    }
}
