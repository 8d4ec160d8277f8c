package dev.sluice.cli.terminal;

import org.jline.utils.WCWidth;

/** Width of text on a terminal. */
public final class TextWidth {

    private TextWidth() {}

    /** Returns the number of columns: wide characters take two, combining characters none. */
    public static int of(String text) {
        int width = 0;
        for (int i = 0; i < text.length(); ) {
            int character = text.codePointAt(i);
            width += Math.max(0, WCWidth.wcwidth(character));
            i += Character.charCount(character);
        }
        return width;
    }

    /** Pads text with spaces to a width. */
    public static String padded(String text, int width) {
        return text + " ".repeat(Math.max(0, width - of(text)));
    }

    /** Cuts text to a width; an ellipsis replaces the end. */
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

    /** Returns the text on one line, with control characters replaced. */
    public static String printable(String text) {
        return text.chars().noneMatch(TextWidth::controls) ? text : cleaned(text, false);
    }

    /** Returns the text with control characters other than line breaks replaced. */
    public static String printableLines(String text) {
        return text.chars().noneMatch(TextWidth::controls) ? text : cleaned(text, true);
    }

    private static String cleaned(String text, boolean lines) {
        StringBuilder clean = new StringBuilder();
        text.chars().forEach(c -> clean.append(controls(c) && !(lines && c == '\n') ? '�' : (char) c));
        return clean.toString();
    }

    /** Whether a terminal interprets the character: control characters, line separators and direction marks. */
    private static boolean controls(int c) {
        return Character.isISOControl(c)
                || c == 0x061c
                || c == 0x200e
                || c == 0x200f
                || (c >= 0x2028 && c <= 0x202e)
                || (c >= 0x2066 && c <= 0x2069);
    }
}
