package dev.sluice.cli.terminal;

import org.jline.utils.WCWidth;

/** How many columns of a terminal a text takes. */
public final class TextWidth {

    private TextWidth() {}

    /** The columns of this text: wide characters take two, combining ones none. */
    public static int of(String text) {
        int width = 0;
        for (int i = 0; i < text.length(); ) {
            int character = text.codePointAt(i);
            width += Math.max(0, WCWidth.wcwidth(character));
            i += Character.charCount(character);
        }
        return width;
    }

    /** The text, filled up with spaces to this width. */
    public static String padded(String text, int width) {
        return text + " ".repeat(Math.max(0, width - of(text)));
    }

    /** As much of the text as fits into this width, with an ellipsis where something was cut off. */
    public static String shortened(String text, int widthMax) {
        if (of(text) <= widthMax) {
            return text;
        }
        StringBuilder kept = new StringBuilder();
        int width = 0;
        for (int i = 0; i < text.length(); ) {
            int character = text.codePointAt(i);
            width += Math.max(0, WCWidth.wcwidth(character));
            if (width > widthMax - 1) {
                break;
            }
            kept.appendCodePoint(character);
            i += Character.charCount(character);
        }
        return widthMax <= 0 ? "" : kept.append('…').toString();
    }

    /** The text on one line and without control characters, which a name may hold but a terminal must not see. */
    public static String printable(String text) {
        if (text.chars().noneMatch(Character::isISOControl)) {
            return text;
        }
        StringBuilder clean = new StringBuilder();
        text.codePoints().forEach(c -> clean.appendCodePoint(Character.isISOControl(c) ? '�' : c));
        return clean.toString();
    }
}
