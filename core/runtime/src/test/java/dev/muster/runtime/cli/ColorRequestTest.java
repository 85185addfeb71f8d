package dev.muster.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ColorRequestTest {

    @ParameterizedTest
    @CsvSource(textBlock = """
                    '',                          '',                                  true,  true
                    '',                          '',                                  false, false
                    --color=always -- x,         NO_COLOR=1,                          false, true
                    plan --color never -- x,     '',                                  true,  false
                    --color auto -- x,           '',                                  true,  true
                    -- x --color=always,         '',                                  false, false
                    '',                          MUSTER_COLOR=always,                 false, true
                    --color never,               MUSTER_COLOR=always,                 true,  false
                    '',                          NO_COLOR=1,                          true,  false
                    '',                          NO_COLOR=,                           true,  true
                    '',                          TERM=dumb,                           true,  false
                    '',                          CLICOLOR_FORCE=1,                    false, true
                    '',                          CLICOLOR_FORCE=0,                    false, false
                    '',                          CLICOLOR_FORCE=,                     false, false
                    '',                          MUSTER_COLOR=,                       true,  true
                    '',                          CLICOLOR_FORCE=1 NO_COLOR=1,         true,  false
                    """)
    void theOptionIsStrongestThenItsVariableThenTheCustoms(
            String line, String variables, boolean isTerminal, boolean expected) {
        Map<String, String> environment = Stream.of(variables.split(" "))
                .filter(variable -> variable.contains("="))
                .collect(Collectors.toMap(
                        variable -> variable.replaceFirst("=.*", ""), variable -> variable.replaceFirst("[^=]*=", "")));
        assertThat(ColorRequest.isRequested(List.of(line.split(" ")), environment, isTerminal))
                .isEqualTo(expected);
    }
}
