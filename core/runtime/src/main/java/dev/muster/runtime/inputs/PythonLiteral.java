package dev.muster.runtime.inputs;

import java.util.Map;

/**
 * Python's way to write an object, as JSON: texts in single quotes, {@code True}, {@code False} and {@code None}. Controllers write
 * one or the other, and programs that read them take both.
 */
final class PythonLiteral {

    private static final Map<String, String> WORDS = Map.of("True", "true", "False", "false", "None", "null");

    private final String text;
    private final StringBuilder json = new StringBuilder();
    private int at;

    private PythonLiteral(String text) {
        this.text = text;
    }

    /** The same as JSON; what is JSON already stays as it is, what is neither becomes neither. */
    static String toJson(String text) {
        return new PythonLiteral(text).json();
    }

    private String json() {
        while (at < text.length()) {
            char character = text.charAt(at);
            if (character == '\'' || character == '"') {
                quoted(character);
            } else if (Character.isLetter(character)) {
                word();
            } else {
                json.append(character);
                at++;
            }
        }
        return json.toString();
    }

    private void quoted(char quote) {
        json.append('"');
        at++;
        while (at < text.length() && text.charAt(at) != quote) {
            char character = text.charAt(at);
            if (character == '\\' && at + 1 < text.length()) {
                char escaped = text.charAt(at + 1);
                json.append(escaped == '\'' ? "'" : "\\" + escaped);
                at++;
            } else {
                json.append(character == '"' ? "\\\"" : String.valueOf(character));
            }
            at++;
        }
        // A text that is cut off stays so.
        json.append(at < text.length() ? "\"" : "");
        at++;
    }

    private void word() {
        int start = at;
        while (at < text.length() && Character.isLetter(text.charAt(at))) {
            at++;
        }
        String word = text.substring(start, at);
        json.append(WORDS.getOrDefault(word, word));
    }
}
