package dev.muster.runtime.json;

import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;
import dev.muster.runtime.text.Printable;
import org.jspecify.annotations.Nullable;

/** Escapes control characters, and others that are not visible as themselves, because a terminal may show the text. */
final class VisibleCharacters extends CharacterEscapes {

    private static final long serialVersionUID = 1L;
    private static final int DELETE = 0x7f;

    @Override
    public int[] getEscapeCodesForAscii() {
        int[] codes = standardAsciiEscapesForJSON();
        codes[DELETE] = ESCAPE_STANDARD;
        return codes;
    }

    /** Surrogates come one by one. Each is half of a pair. */
    @Override
    public @Nullable SerializableString getEscapeSequence(int character) {
        boolean isShown = Character.isSurrogate((char) character) || Printable.isPlain(character);
        return isShown ? null : new SerializedString(String.format("\\u%04x", character));
    }
}
