package dev.muster.runtime.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretsTest {

    private final Secrets secrets = new Secrets(List.of());

    @ParameterizedTest
    @ValueSource(
            strings = {
                "API_KEY",
                "api_key",
                "_KEY",
                "MY_SECRET_VALUE",
                "secret",
                "HF_TOKEN",
                "TOKENIZER",
                "DB_PASSWORD",
                "password",
                "S3_ENDPOINT",
                "CRED",
                "CREDENTIALS",
                "scc_data"
            })
    void knowsTheNamesOfSecrets(String name) {
        assertThat(secrets.isSecret(name)).isTrue();
        assertThat(secrets.show(name, "hidden")).isEqualTo(Secrets.MASK);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "KEY", "API_KEY_ID", "KEYBOARD", "XS3_A", "ACCREDIT", "RANK_ID", "PASS"})
    void showsTheRest(String name) {
        assertThat(secrets.isSecret(name)).isFalse();
        assertThat(secrets.show(name, "shown")).isEqualTo("shown");
    }

    @Test
    void takesPatternsOfTheUser() {
        Secrets more = new Secrets(List.of("wandb*", "*a*b*c"));

        assertThat(more.isSecret("WANDB_ID")).isTrue();
        assertThat(more.isSecret("xaxbxbc")).isTrue();
        assertThat(more.isSecret("xaxbxbcx")).isFalse();
        assertThat(more.isSecret("HF_TOKEN")).isTrue();
    }

    @Test
    void aLoneStarHidesEverything() {
        assertThat(new Secrets(List.of("*")).isSecret("")).isTrue();
    }

    @Test
    void takesQuestionMarksAndDotsLiterally() {
        Secrets more = new Secrets(List.of("a.b?"));

        assertThat(more.isSecret("a.b?")).isTrue();
        assertThat(more.isSecret("axbc")).isFalse();
    }

    @Test
    void masksArguments() {
        assertThat(secrets.show(List.of("train", "--token=abc", "--api-key", "abc", "HF_TOKEN=abc", "--lr", "0.1")))
                .containsExactly(
                        "train",
                        "--token=" + Secrets.MASK,
                        "--api-key",
                        Secrets.MASK,
                        "HF_TOKEN=" + Secrets.MASK,
                        "--lr",
                        "0.1");
    }

    @Test
    void keepsAnOptionThatFollowsASecretSwitch() {
        assertThat(secrets.show(List.of("--use-secret", "--lr", "1"))).containsExactly("--use-secret", "--lr", "1");
    }

    @Test
    void keepsWhatFollowsAWordThatIsNoOption() {
        assertThat(secrets.show(List.of("token", "x"))).containsExactly("token", "x");
    }

    @Test
    void keepsEqualsSignsOfOrdinaryArguments() {
        assertThat(secrets.show(List.of("--a=b=c", "=", ""))).containsExactly("--a=b=c", "=", "");
    }

    @Test
    void hidesTheValuesOfSecretVariablesWhereverTheyStand() {
        Map<String, String> variables =
                Map.of("A_KEY", "line one\nline two", "MY_TOKEN", "line one", "NAME", "harmless", "S3_HTTPS", "1");

        assertThat(secrets.hide(
                        "raw line one\nline two, printable line one\\nline two, 1 line one, harmless", variables))
                .isEqualTo("raw ******, printable ******, 1 ******, harmless");
    }
}
