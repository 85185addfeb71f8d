package dev.muster.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ValueFormTest {

    private static final ValueForm NUMBER = ValueForm.number("N", 1, 4096);

    @ParameterizedTest
    @ValueSource(strings = {"1", "4096", "007"})
    void numbersInTheRangeAreAccepted(String value) {
        assertThat(NUMBER.problem(value)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "-1", "+1", "4097", "99999999999", " 8 ", "abc", "8.0", "0x8", "\uFF18", "NaN"})
    void everythingElseIsNoNumber(String value) {
        assertThat(NUMBER.problem(value)).contains("is not a whole number 1..4096");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "500ms", "2s", "10m", "1h", "90", "10000h"})
    void durationsAreAccepted(String value) {
        assertThat(ValueForm.DURATION.problem(value)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "1e9", "abc", "1d", "10001h", "999999999h", "1 s"})
    void otherTextsAreNoDurationsAndTheRangeIsTold(String value) {
        assertThat(ValueForm.DURATION.problem(value))
                .contains(
                        "is not a duration from 0s to 10000h, such as 500ms, 2s, 10m or 1h (a bare number is seconds)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "0-2,4", "7,3", "0-0", "4-7"})
    void cardListsAreAccepted(String value) {
        assertThat(ValueForm.CARD_IDS.problem(value)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",", "0,", "2-0", "0,0", "0-2,1", "a", "-1", "0-", "1-2-3", "5000"})
    void otherTextsAreNoCardLists(String value) {
        assertThat(ValueForm.CARD_IDS.problem(value)).contains("is not a list of different card ids such as 0-2,4");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-a", ".a", "a/b", "a b", "a;b", "$(a)", "a\n", "\u00e4"})
    void namesThatCouldBePathsOptionsOrCommandsAreRefused(String value) {
        assertThat(ValueForm.ID.problem(value)).isPresent();
    }

    @Test
    void namesHaveAGreatestLength() {
        assertThat(ValueForm.ID.problem("a".repeat(200))).isEmpty();
        assertThat(ValueForm.ID.problem("a".repeat(201))).isPresent();
        assertThat(ValueForm.ID.problem("Job_1.x-y")).isEmpty();
    }

    @Test
    void aWrongChoiceIsToldTheNearest() {
        assertThat(ValueForm.choice("auto", "modelarts", "none").problem("modelart"))
                .contains("is not one of auto, modelarts, none (did you mean modelarts?)");
    }

    @Test
    void switchesPathsAndAssignmentsHaveTheirForms() {
        assertThat(ValueForm.SWITCH.problem("true")).isEmpty();
        assertThat(ValueForm.SWITCH.problem("yes")).contains("is not true or false");
        assertThat(ValueForm.path("DIR").problem("")).contains("is not a path");
        assertThat(ValueForm.path("DIR").problem("a b")).isEmpty();
        assertThat(ValueForm.ASSIGNMENT.problem("=x")).contains("is not NAME=VALUE");
        assertThat(ValueForm.text("E").problem("")).isEmpty();
    }
}
