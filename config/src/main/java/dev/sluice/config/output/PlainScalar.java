package dev.sluice.config.output;

/**
 * Decides which strings need no quotes in YAML. It checks character by character, since a large document has millions
 * of scalars.
 *
 * <p>A string is plain if it is a time such as {@code 2026-01-01T12:00:00Z}; or if it is a name (letters, digits and
 * {@code _/.@+-}, with single colons inside, and no digit, {@code @}, {@code +} or {@code -} at its start) or digits
 * followed by letters and digits, and neither a word for a truth value or null nor anything that looks like a number.
 */
final class PlainScalar {

    private PlainScalar() {}

    /** Returns whether the string needs no quotes. */
    static boolean is(String text) {
        return !text.isEmpty() && (isTime(text) || ((isName(text) || isDigitsAndWord(text)) && !meansOther(text)));
    }

    /**
     * Returns whether the string is four digits, a minus, two digits, a minus, two digits, T, digits with colons and
     * dots, Z.
     */
    private static boolean isTime(String text) {
        int last = text.length() - 1;
        if (last < 12 || text.charAt(last) != 'Z' || text.charAt(10) != 'T') {
            return false;
        }
        for (int i = 0; i < 10; i++) {
            boolean fits = (i == 4 || i == 7) ? text.charAt(i) == '-' : isDigit(text.charAt(i));
            if (!fits) {
                return false;
            }
        }
        for (int i = 11; i < last; i++) {
            char c = text.charAt(i);
            if (!isDigit(c) && c != ':' && c != '.') {
                return false;
            }
        }
        return true;
    }

    private static boolean isName(String text) {
        char first = text.charAt(0);
        if (!isLetter(first) && first != '_' && first != '/' && first != '.') {
            return false;
        }
        for (int i = 1; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean colonInside = c == ':' && i + 1 < text.length() && isInName(text.charAt(i + 1));
            if (!colonInside && !isInName(c)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isInName(char c) {
        return isLetter(c) || isDigit(c) || c == '_' || c == '.' || c == '/' || c == '@' || c == '+' || c == '-';
    }

    private static boolean isDigitsAndWord(String text) {
        int i = 0;
        while (i < text.length() && isDigit(text.charAt(i))) {
            i++;
        }
        if (i == 0 || i == text.length() || !isLetter(text.charAt(i))) {
            return false;
        }
        for (; i < text.length(); i++) {
            if (!isLetter(text.charAt(i)) && !isDigit(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether any version of YAML reads the string as a truth value, null or a number. */
    private static boolean meansOther(String text) {
        char first = text.charAt(0);
        if (isDigit(first) || first == '.' || first == '-' || first == '+') {
            return isLikeNumber(text);
        }
        return switch (text.length()) {
            case 1 -> text.equalsIgnoreCase("y") || text.equalsIgnoreCase("n");
            case 2 -> text.equalsIgnoreCase("no") || text.equalsIgnoreCase("on");
            case 3 -> text.equalsIgnoreCase("yes") || text.equalsIgnoreCase("off");
            case 4 -> text.equalsIgnoreCase("true") || text.equalsIgnoreCase("null");
            case 5 -> text.equalsIgnoreCase("false");
            default -> false;
        };
    }

    private static boolean isLikeNumber(String text) {
        int dot = text.charAt(0) == '-' || text.charAt(0) == '+' ? 1 : 0;
        if (text.startsWith(".", dot)
                && (text.regionMatches(true, dot + 1, "inf", 0, 3) || text.regionMatches(true, dot + 1, "nan", 0, 3))) {
            return true;
        }
        if (text.charAt(0) == '.' && text.length() > 1 && isDigit(text.charAt(1))) {
            return true;
        }
        for (int i = 1; i < text.length(); i++) {
            if (!isInNumber(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns whether the character is a digit, a sign, a dot, or a letter in hexadecimal, octal or exponential
     * numbers.
     */
    private static boolean isInNumber(char c) {
        return isDigit(c)
                || c == '_'
                || c == '.'
                || c == '+'
                || c == '-'
                || c == 'x'
                || c == 'X'
                || c == 'o'
                || c == 'O'
                || (c >= 'a' && c <= 'f')
                || (c >= 'A' && c <= 'F');
    }

    private static boolean isLetter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
