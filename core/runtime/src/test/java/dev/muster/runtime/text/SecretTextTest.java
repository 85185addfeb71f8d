package dev.muster.runtime.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SecretTextTest {

    private final Secrets secrets = new Secrets(List.of());

    static Stream<Arguments> texts() {
        return Stream.of(
                // URLs
                text("postgres://user:pw@host/db", "postgres://user:******@host/db"),
                text("a http://u:p@h, ftp://v:q@h2!", "a http://u:******@h, ftp://v:******@h2!"),
                text("http://u:p@h,http://v:q@h", "http://u:******@h,http://v:******@h"),
                text("redis://:pw@h:6379/0", "redis://:******@h:6379/0"),
                text("amqp://u:p%40ss%2F@h", "amqp://u:******@h"),
                text("http://u:p@ss@h/x", "http://u:******@h/x"),
                text("http://h:80/x@v1", "http://h:80/x@v1"),
                text("http://h:80", "http://h:80"),
                text("mongodb://u:p@h1:27017,h2:27017/d?x=a@b", "mongodb://u:******@h1:27017,h2:27017/d?x=a@b"),
                text("http:\\/\\/u:p@h\\/x", "http:\\/\\/u:******@h\\/x"),
                text("https://0123456789abcdef0123@github.com/x", "https://******@github.com/x"),
                text("ssh://git@github.com/x", "ssh://git@github.com/x"),
                text("git@github.com:x", "git@github.com:x"),
                text("proxy u:pw@proxy:3128", "proxy u:******@proxy:3128"),
                text("mailto:me@example.org", "mailto:me@example.org"),
                text("http://[fe80::1]:80/x", "http://[fe80::1]:80/x"),
                text("http://u:p@[fe80::1]:80/x", "http://u:******@[fe80::1]:80/x"),
                text("tcp://10.0.0.1:6666", "tcp://10.0.0.1:6666"),
                text("http://h/?access_token=x&a=b", "http://h/?access_token=******&a=b"),
                text("http://h/?X-Amz-Signature=ab&sig=x%2B", "http://h/?X-Amz-Signature=******&sig=******"),
                text("https://h/c?sv=1&sig=a%2Bb", "https://h/c?sv=1&sig=******"),
                text("https://h/d?Expires=9&Signature=a%3D", "https://h/d?Expires=9&Signature=******"),
                text("AccountName=a;AccountKey=x/y==;", "AccountName=a;AccountKey=******"),
                // JSON
                text("{\"password\": \"x\", \"a\": 1}", "{\"password\": \"******\", \"a\": 1}"),
                text("{'password': 'it\"s', 'a': 1}", "{'password': '******', 'a': 1}"),
                text("{\"password\":\"a\\\"b\",\"c\":1}", "{\"password\":\"******\",\"c\":1}"),
                text("{\"password\":\"a\\\\\",\"c\":1}", "{\"password\":\"******\"c\":1}"),
                text("{\"a\":{\"api_key\" : \"x\"}}", "{\"a\":{\"api_key\" : \"******\"}}"),
                text("{\"apiKey\":\"x\"}", "{\"apiKey\":\"******\"}"),
                text("{\"password\":12345,\"a\":1}", "{\"password\":******\"a\":1}"),
                text("{\"token\":null}", "{\"token\":null}"),
                text("{\"secrets\":{\"a\":\"}\",\"b\":[1]},\"c\":1}", "{\"secrets\":******"),
                text("{\"credentials\":[\"a\",\"b\"]}", "{\"credentials\":******"),
                text("{\"a\":\"{\\\"password\\\":\\\"x\\\"}\"}", "{\"a\":\"{\\\"password\\\":\\\"******\\\"}\"}"),
                text(
                        "{\"a\":\"{\\\"b\\\":\\\"{\\\\\\\"token\\\\\\\":\\\\\\\"x\\\\\\\"}\\\"}\"}",
                        "{\"a\":\"{\\\"b\\\":\\\"{\\\\\\\"token\\\\\\\":\\\\\\\"******\\\\\\\"}\\\"}\"}"),
                text("{\"a\":\"{\\\"secret\\\":{\\\"b\\\":1}}\",\"c\":1}", "{\"a\":\"{\\\"secret\\\":******"),
                text("{\n  \"password\":\n    \"x\"\n}", "{\n  \"password\":\n    \"******\"\n}"),
                text("{\"url\":\"http://u:p@h\"}", "{\"url\":\"http://u:******@h\"}"),
                text("{\"password\":\"x", "{\"password\":\"******"),
                // assignments
                text("HF_TOKEN=x y", "HF_TOKEN=****** y"),
                text("token = 'a b' c", "token = '******' c"),
                text("token = b'a' c", "token = b'******' c"),
                text("token := x", "token := ******"),
                text("token = \"\"\"a\"\"\" c", "token = \"\"\"******\"\"\" c"),
                text("os.environ['A_TOKEN'] = 'a b' c", "os.environ['A_TOKEN'] = '******' c"),
                text("if os.environ['A_TOKEN'] == 'a'", "if os.environ['A_TOKEN'] == 'a'"),
                text("login(token=x)", "login(token=******"),
                text("if token == None", "if token == None"),
                text("login(token=None)", "login(token=None)"),
                text("give -o ssh-key=FILE; its log is x", "give -o ssh-key=FILE; its log is x"),
                text("ssh-key=FILES", "ssh-key=******"),
                text("password: x", "password: ******"),
                text("cat: /etc/passwd: Permission denied", "cat: /etc/passwd: Permission denied"),
                text("api_token: No such file or directory", "api_token: No such file or directory"),
                text("export A_KEY=\"a b\" c", "export A_KEY=\"******\" c"),
                // headers
                text("Authorization: Bearer abc", "Authorization: Bearer ******"),
                text("{\"Authorization\": \"Bearer x\"}", "{\"Authorization\": \"******\"}"),
                text("-H 'authorization: token abc def' x", "-H 'authorization: token ******' x"),
                text(
                        "Authorization: AWS4-HMAC-SHA256 Credential=x, Signature=y",
                        "Authorization: AWS4-HMAC-SHA256 ******"),
                text("Cookie: a=b; c=d\nx", "Cookie: ******\nx"),
                text("with bearer abc1defg", "with bearer ******"),
                text("X-Api-Key:x", "X-Api-Key:******"),
                // options
                text("Command '['curl', '--token', 'x']' failed", "Command '['curl', '--token', '******']' failed"),
                text(
                        "{\"args\":[\"--api-key\",\"-x\",\"--lr\",\"1\"]}",
                        "{\"args\":[\"--api-key\",\"******\",\"--lr\",\"1\"]}"),
                text("ran train --token a1b2 --lr 1", "ran train --token ****** --lr 1"),
                // forms
                text("x AKIAABCDEFGHIJKLMNOP y", "x ****** y"),
                text("hvs.CAESIabcdefghijklmnop ya29.a0AfB_abcdefghijklmnop", "****** ******"),
                text("ghp_abcdefghijklmnopqrstuvwxyz0123456789", "******"),
                text(
                        "a\n-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----\nb",
                        "a\n-----BEGIN RSA PRIVATE KEY-----******-----END RSA PRIVATE KEY-----\nb"),
                text("-----BEGIN PGP PRIVATE KEY BLOCK-----\nlQ", "-----BEGIN PGP PRIVATE KEY BLOCK-----******"),
                text("eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0.abc-_", "******"));
    }

    private static Arguments text(String given, String shown) {
        return Arguments.of(given, shown);
    }

    @ParameterizedTest
    @MethodSource("texts")
    void masks(String given, String shown) {
        assertThat(secrets.hide(given)).isEqualTo(shown);
        assertThat(secrets.hide(shown)).as("twice").isEqualTo(shown);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "=",
                ":",
                "\"",
                "password",
                "password=",
                "password:",
                "\"password\":",
                "@",
                "a:@b",
                "://@",
                "secret.py:12: error",
                "/app/secret.py:12: error",
                "max_tokens=100, tokenizer: gpt2",
                "KeyError: 'HF_TOKEN'",
                "Token::parse",
                "a bearer of news",
                "python train.py --max-tokens 100 --token-count 5 --passthrough",
                "image registry:5000/a:tag@sha256:0a1b",
                "--link-secret: /etc/key can be read by others",
                "MUSTER_LINK_SECRET: empty",
                "give --link-secret FILE, or --token anywhere",
                "or give --ssh-key FILE",
                "usage: train [--token TOKEN] [--lr LR]",
                "rank 0 (pid 12) ended with exit code 1 after 0.1 s; its log is /tmp/log/job/rank-0.log",
                "job j: engine ascend, node 0 of 2 (10.0.0.1)"
            })
    void leavesTheRest(String text) {
        assertThat(secrets.hide(text)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "password=",
                "password=\"",
                "password=\\\"",
                "\"password\":{\"",
                "\"password\":[",
                "://",
                "http://a:b@",
                "@:",
                "a:b@c",
                ":   ",
                "Authorization: Bearer ",
                "-----BEGIN PRIVATE KEY-----",
                "%3A%2F%2F%3A",
                "\\\\\\\"",
                "--token \"",
                "--token '--token \"",
                "eyJaaaaaaaaaaaa.",
                "aaaaaaaaaaaaaaaa",
                "- "
            })
    void takesNoLongerThanTheTextIsLong(String hostile) {
        String large = hostile.repeat(200_000 / hostile.length());

        // CPU time, not wall time: other tests run at the same time.
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadCpuTime();
        secrets.show(List.of(large));

        assertThat(Duration.ofNanos(threads.getCurrentThreadCpuTime() - before)).isLessThan(Duration.ofSeconds(2));
    }
}
