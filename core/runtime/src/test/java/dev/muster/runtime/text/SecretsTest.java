package dev.muster.runtime.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
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
                "DB_PASSWORD",
                "password",
                "S3_ENDPOINT",
                "S3_ACCESS_KEY_ID",
                "CRED",
                "CREDENTIALS",
                "scc_data",
                "APIKEY",
                "apiKey",
                "x-api-key",
                "CREDENTIAL",
                "GOOGLE_APPLICATION_CREDENTIALS",
                "PRIVATE_KEY",
                "privateKey",
                "MUSTER_LINK_SECRET",
                "AWS_SECRET_ACCESS_KEY",
                "clientSecret",
                "PASSPHRASE",
                "DB_PASS",
                "SSHPASS",
                "db-pwd",
                "TOKEN",
                "GITHUBTOKEN",
                "HF_TOKEN_2",
                "API_TOKENS",
                "refresh_token",
                "spring.datasource.password",
                "AccountKey",
                "OBS_SK",
                "--ak",
                "Authorization",
                "Proxy-Authorization",
                "Set-Cookie",
                "JWT",
                "_auth",
                "X-Amz-Signature"
            })
    void knowsTheNamesOfSecrets(String name) {
        assertThat(secrets.isSecret(name)).isTrue();
        assertThat(secrets.show(name, "hidden")).isEqualTo(Secrets.MASK);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "KEY",
                "API_KEY_ID",
                "KEYBOARD",
                "XS3_A",
                "ACCREDIT",
                "RANK_ID",
                "PASS",
                "--passthrough",
                "--token-count",
                "--max-tokens",
                "--num-tokens",
                "tokenizer",
                "--tokenizer",
                "TOKENIZERS_PARALLELISM",
                "tokenizerPath",
                "--pad-token",
                "--eos-token-id",
                "numTokens",
                "--public-key",
                "--sort-key",
                "PWD",
                "--pass-rate",
                "bypass",
                "--passes",
                "SSH_AUTH_SOCK",
                "AUTHOR",
                "sklearn",
                "TASK",
                "MASK",
                "secret.py",
                "TOKEN_FILE",
                "PASSWORD_PATH",
                "monkey"
            })
    void showsTheRest(String name) {
        assertThat(secrets.isSecret(name)).isFalse();
        assertThat(secrets.show(name, "shown")).isEqualTo("shown");
    }

    @Test
    void takesPatternsOfTheUser() {
        Secrets more = new Secrets(List.of("wandb*", "*a*b*c", "db-pin"));

        assertThat(more.isSecret("WANDB_ID")).isTrue();
        assertThat(more.isSecret("xaxbxbc")).isTrue();
        assertThat(more.isSecret("--db-pin")).isTrue();
        assertThat(more.isSecret("DB_PIN")).isTrue();
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

    static Stream<Arguments> commands() {
        return Stream.of(
                command("--token -tok1", "--token ******"),
                command("--use-secret --lr 1", "--use-secret --lr 1"),
                command("token x", "token x"),
                command("--a=b=c =", "--a=b=c ="),
                command("-token -tok1 x", "-token ****** x"),
                command("--password -x9 --lr 1", "--password ****** --lr 1"),
                command("--token -password x", "--token ****** ******"),
                command("--password=-x=y", "--password=******"),
                command("--db-passwd x", "--db-passwd ******"),
                command("--token -- x", "--token -- x"),
                command("AWS_SECRET_ACCESS_KEY=a/b+c=", "AWS_SECRET_ACCESS_KEY=******"),
                command("--env HF_TOKEN=x", "--env HF_TOKEN=******"),
                command("--env=HF_TOKEN=x", "--env=HF_TOKEN=******"),
                command("-eHF_TOKEN=x", "-eHF_TOKEN=******"),
                command("-Dspring.datasource.password=x", "-Dspring.datasource.password=******"),
                command("-o a=1,password=x", "-o a=1,password=******"),
                command("APIKEY=x CREDENTIAL=x PRIVATE_KEY=x", "APIKEY=****** CREDENTIAL=****** PRIVATE_KEY=******"),
                command("MUSTER_LINK_SECRET=x", "MUSTER_LINK_SECRET=******"),
                command("-H Authorization: Bearer x", "-H Authorization: Bearer ******"),
                command("https://u:pw@h/d?token=x&a=b", "https://u:******@h/d?token=******"),
                command("--redis redis://:pw@h:1/0", "--redis redis://:******@h:1/0"),
                // Not secret.
                command("--token-count 5", "--token-count 5"),
                command("--max-tokens 100", "--max-tokens 100"),
                command("--max-tokens=100", "--max-tokens=100"),
                command("--tokenizer gpt2 --passthrough -x", "--tokenizer gpt2 --passthrough -x"),
                command(
                        "--data /tokens/a:b --image r:5000/a:t@sha256:0a",
                        "--data /tokens/a:b --image r:5000/a:t@sha256:0a"));
    }

    private static Arguments command(String given, String shown) {
        return Arguments.of(given, shown);
    }

    @ParameterizedTest
    @MethodSource("commands")
    void masksCommands(String given, String shown) {
        assertThat(String.join(" ", secrets.show(List.of(given.split(" ", -1)))))
                .isEqualTo(shown);
    }

    @Test
    void masksWhatIsOneArgument() {
        assertThat(secrets.show(List.of(
                        "bash",
                        "-c",
                        "export TOKEN=abc; train --password 'a b' --lr 1 --api-key -k9 && x",
                        "Authorization: Basic dTpw",
                        "{\"password\": \"x\"}")))
                .containsExactly(
                        "bash",
                        "-c",
                        "export TOKEN=****** train --password '******' --lr 1 --api-key ****** && x",
                        "Authorization: Basic ******",
                        "{\"password\": \"******\"}");
    }

    @Test
    void hidesTheValuesOfSecretVariablesWhereverTheyStand() {
        Map<String, String> variables =
                Map.of("A_KEY", "line one\nline two", "MY_TOKEN", "line one", "NAME", "harmless", "S3_HTTPS", "1");

        assertThat(secrets.mask(variables, List.of())
                        .apply("raw line one\nline two, printable line one\\nline two, 1 line one, harmless"))
                .isEqualTo("raw ******, printable ******, 1 ******, harmless");
    }

    @Test
    void hidesTheSecretsOfACommandWhereverTheyStand() {
        UnaryOperator<String> mask = secrets.mask(
                Map.of("DATABASE_URL", "postgres://u:hunter42@h/d"),
                List.of(
                        "train",
                        "--token",
                        "-tok12345",
                        "--password=longer pass",
                        "--url=http://u:in-url@h",
                        "--lr",
                        "0.00012345",
                        "x --api-key -nested"));

        assertThat(mask.apply("-tok12345, longer pass, in-url, hunter42, -nested, 0.00012345, --password train"))
                .isEqualTo("******, ******, ******, ******, ******, 0.00012345, --password train");
    }

    @Test
    void hidesTheLinesOfASecretOneByOne() {
        UnaryOperator<String> mask = secrets.mask(Map.of("A_KEY", "first line\nsecond line"), List.of());

        assertThat(mask.apply("it said: second line")).isEqualTo("it said: ******");
    }
}
