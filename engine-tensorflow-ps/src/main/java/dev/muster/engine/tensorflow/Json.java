package dev.muster.engine.tensorflow;

/** Texts as JSON, ASCII only. */
final class Json {

    private Json() {}

    static String text(String plain) {
        StringBuilder json = new StringBuilder("\"");
        for (int i = 0; i < plain.length(); i++) {
            char character = plain.charAt(i);
            if (character == '"' || character == '\\') {
                json.append('\\').append(character);
            } else if (character >= ' ' && character <= '~') {
                json.append(character);
            } else {
                json.append("\\u");
                for (int shift = 12; shift >= 0; shift -= 4) {
                    json.append(Character.forDigit(character >> shift & 0xf, 16));
                }
            }
        }
        return json.append('"').toString();
    }
}
