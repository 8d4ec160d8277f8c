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

    /** The text on one line, with a replacement character for every character that controls a terminal. */
    public static String printable(String text) {
        return text.chars().noneMatch(TextWidth::controls) ? text : cleaned(text, false);
    }

    /** The same with its line breaks. */
    public static String printableLines(String text) {
        return text.chars().noneMatch(TextWidth::controls) ? text : cleaned(text, true);
    }

    private static String cleaned(String text, boolean lines) {
        StringBuilder clean = new StringBuilder();
        text.chars().forEach(c -> clean.append(controls(c) && !(lines && c == '\n') ? '�' : (char) c));
        return clean.toString();
    }

    /** Whether a terminal obeys it instead of showing it: control characters, line separators and changes of direction. */
    private static boolean controls(int c) {
        return Character.isISOControl(c)
                || c == 0x061c
                || c == 0x200e
                || c == 0x200f
                || (c >= 0x2028 && c <= 0x202e)
                || (c >= 0x2066 && c <= 0x2069);
    }
}
