package dev.muster.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class StandardOutputTest {

    @Test
    void textIsWrittenInUtf8WhateverTheLocale() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        assertThat(StandardOutput.write("gr\u00f6\u00dfe\n", bytes)).isTrue();
        assertThat(bytes.toByteArray()).isEqualTo("gr\u00f6\u00dfe\n".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aStreamThatCannotBeWrittenIsTold() {
        OutputStream closed = new OutputStream() {
            @Override
            public void write(int data) throws IOException {
                throw new IOException("closed");
            }
        };

        assertThat(StandardOutput.write("x\n", closed)).isFalse();
    }
}
