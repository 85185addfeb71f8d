package dev.muster.runtime.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** No secret is overlooked since a text was taken for one that can hold none. */
class FuzzedCluesTest {

    private static final Map<Pattern, Integer> KINDS = Map.of(
            UrlSecrets.SCHEME_END, Clues.URL,
            UrlSecrets.ENCODED, Clues.ENCODED,
            UrlSecrets.SIGNATURE, Clues.SIGNATURE,
            OptionSecrets.OPTION, Clues.OPTION,
            OptionSecrets.LISTED, Clues.LISTED_OPTION,
            SecretText.BEARER, Clues.BEARER,
            SecretText.WELL_KNOWN, Clues.WELL_KNOWN,
            SecretText.PRIVATE_KEY, Clues.PRIVATE_KEY);

    /** What the patterns are made of, and what stands between. */
    private static final List<String> PIECES = List.of(
            ":",
            "/",
            "\\",
            "=",
            "?",
            "&",
            "%3a%2f%2fu%3ap%40",
            "%3A%2F%2F",
            "sig=",
            "x",
            " ",
            "\t",
            "-",
            "--",
            "\"",
            "'",
            ",",
            "token",
            "--token",
            "\"--token\", \"v\"",
            "bearer ",
            "BEARER\t",
            "abcdefgh12345678",
            "AKIA",
            "ASIA0123456789ABCDEF",
            "gho_",
            "ghp_",
            "github_pat_",
            "hf_",
            "glpat-",
            "xoxb-",
            "sk-",
            "eyJ",
            ".",
            "0123456789abcdefghijklmnopqrst",
            "0123456789ABCDEF",
            "-----BEGIN RSA PRIVATE KEY-----",
            "-----BEGIN PRIVATE KEY-----",
            "_",
            "ß",
            "\n");

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.of(PIECES).list().ofMaxSize(8).map(pieces -> String.join("", pieces));
    }

    @Property
    void whatAPatternFindsHasLeftAClue(@ForAll("texts") String text) {
        Clues clues = Clues.in(text);

        KINDS.forEach((pattern, kind) -> {
            if (pattern.matcher(text).find()) {
                assertThat(clues.has(kind)).as("%s in \"%s\"", pattern, text).isTrue();
            }
        });
    }

    @Property
    void whatHasANameHasLeftAClue(@ForAll("texts") String text) {
        assertThat(Clues.in(text).has(Clues.PAIR)).isEqualTo(text.contains(":") || text.contains("="));
    }
}
