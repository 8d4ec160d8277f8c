package dev.sluice.config.yaml;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON into the tree that {@link TreeBuilder} makes of it, about ten times as fast.
 *
 * <p>Reads valid JSON within {@link YamlLimits} only, and reports nothing: the YAML parser reads everything else, or
 * says what is wrong with it. So it may leave to that parser whatever is rare, such as characters that YAML wants
 * escaped.
 */
final class JsonReader {

    /** The number of entries up to which a map is searched for a duplicate key without a hash set. */
    private static final int ENTRIES_SEARCHED_MAX = 8;

    private final String text;
    private final TextInterner interner;
    private Object[] stack = new Object[32];
    private int top;
    private int at;
    private int line = 1;
    private int lineStart;
    private int values;

    /** Leaves the document to the YAML parser; has no message and no stack trace. */
    private static final class UnusualJsonException extends RuntimeException {
        private static final long serialVersionUID = 1;

        UnusualJsonException() {
            super(null, null, false, false);
        }
    }

    private JsonReader(String text, TextInterner interner) {
        this.text = text;
        this.interner = interner;
    }

    /** Returns the list or map of this text; null if only the YAML parser can say what it is. */
    static @Nullable YamlValue read(String text, TextInterner interner) {
        JsonReader reader = new JsonReader(text, interner);
        reader.skipSpace();
        if (reader.peek() != '{' && reader.peek() != '[') {
            return null;
        }
        try {
            YamlValue document = reader.value(0);
            reader.skipSpace();
            return reader.at == text.length() ? document : null;
        } catch (UnusualJsonException e) {
            return null;
        }
    }

    /** Returns the current character; U+0000, which JSON has nowhere, at the end. */
    private char peek() {
        return at < text.length() ? text.charAt(at) : '\0';
    }

    private static void require(boolean usual) {
        if (!usual) {
            throw new UnusualJsonException();
        }
    }

    private void skipSpace() {
        while (true) {
            switch (peek()) {
                case ' ', '\t' -> at++;
                case '\n' -> breakLine(1);
                case '\r' -> breakLine(text.startsWith("\r\n", at) ? 2 : 1);
                default -> {
                    return;
                }
            }
        }
    }

    private void breakLine(int length) {
        at += length;
        line++;
        lineStart = at;
    }

    private int column() {
        return at - lineStart + 1;
    }

    private YamlValue value(int depth) {
        require(++values <= YamlLimits.VALUES_MAX);
        int column = column();
        return switch (peek()) {
            case '{' -> map(depth);
            case '[' -> list(depth);
            case '"' -> new YamlScalar(string(), true, line, column);
            case 't' -> new YamlScalar(word("true"), false, line, column);
            case 'f' -> new YamlScalar(word("false"), false, line, column);
            case 'n' -> new YamlScalar(word("null"), false, line, column);
            default -> new YamlScalar(number(), false, line, column);
        };
    }

    private YamlMap map(int depth) {
        require(depth < YamlLimits.DEPTH_MAX);
        int mapLine = line;
        int column = column();
        int from = top;
        at++;
        skipSpace();
        if (peek() != '}') {
            Set<String> keys = null;
            while (true) {
                require(peek() == '"' && ++values <= YamlLimits.VALUES_MAX);
                int keyColumn = column();
                YamlScalar key = new YamlScalar(string(), true, line, keyColumn);
                if (top - from == ENTRIES_SEARCHED_MAX) {
                    keys = keysFrom(from);
                }
                require(keys == null ? isNewKey(key.text(), from) : keys.add(key.text()));
                skipSpace();
                take(':');
                skipSpace();
                push(new YamlMap.Entry(key, value(depth + 1)));
                skipSpace();
                if (peek() != ',') {
                    break;
                }
                at++;
                skipSpace();
            }
        }
        take('}');
        List<YamlMap.Entry> entries = Arrays.asList(Arrays.copyOfRange(stack, from, top, YamlMap.Entry[].class));
        top = from;
        return new YamlMap(entries, mapLine, column);
    }

    private boolean isNewKey(String key, int from) {
        for (int i = from; i < top; i++) {
            if (((YamlMap.Entry) stack[i]).key().text().equals(key)) {
                return false;
            }
        }
        return true;
    }

    private Set<String> keysFrom(int from) {
        Set<String> keys = new HashSet<>();
        for (int i = from; i < top; i++) {
            keys.add(((YamlMap.Entry) stack[i]).key().text());
        }
        return keys;
    }

    private YamlList list(int depth) {
        require(depth < YamlLimits.DEPTH_MAX);
        int listLine = line;
        int column = column();
        int from = top;
        at++;
        skipSpace();
        if (peek() != ']') {
            while (true) {
                push(value(depth + 1));
                skipSpace();
                if (peek() != ',') {
                    break;
                }
                at++;
                skipSpace();
            }
        }
        take(']');
        List<YamlValue> items = Arrays.asList(Arrays.copyOfRange(stack, from, top, YamlValue[].class));
        top = from;
        return new YamlList(items, listLine, column);
    }

    private void push(Object value) {
        if (top == stack.length) {
            stack = Arrays.copyOf(stack, 2 * top);
        }
        stack[top++] = value;
    }

    private void take(char wanted) {
        require(peek() == wanted);
        at++;
    }

    private String word(String wanted) {
        require(text.startsWith(wanted, at));
        at += wanted.length();
        return wanted;
    }

    private String number() {
        int from = at;
        if (peek() == '-') {
            at++;
        }
        if (peek() == '0') {
            at++;
        } else {
            digits();
        }
        if (peek() == '.') {
            at++;
            digits();
        }
        if (peek() == 'e' || peek() == 'E') {
            at++;
            if (peek() == '+' || peek() == '-') {
                at++;
            }
            digits();
        }
        int hash = 0;
        for (int i = from; i < at; i++) {
            hash = 31 * hash + text.charAt(i);
        }
        return interner.part(text, from, at, hash);
    }

    private void digits() {
        int from = at;
        while (peek() >= '0' && peek() <= '9') {
            at++;
        }
        require(at > from);
    }

    private String string() {
        int from = at + 1;
        int hash = 0;
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"') {
                at = i + 1;
                return interner.part(text, from, i, hash);
            }
            if (c < ' ' || c > '~' || c == '\\') {
                at = i;
                return stringFrom(from);
            }
            hash = 31 * hash + c;
        }
        throw new UnusualJsonException();
    }

    /** Reads the rest of a string that began at this index and has escapes or characters beyond ASCII. */
    private String stringFrom(int from) {
        StringBuilder string = new StringBuilder().append(text, from, at);
        while (true) {
            char c = peek();
            at++;
            if (c == '"') {
                return interner.text(string.toString());
            }
            if (c == '\\') {
                string.append(escape());
            } else if (Character.isHighSurrogate(c) && Character.isLowSurrogate(peek())) {
                string.append(c).append(peek());
                at++;
                lineStart++; // columns count characters
            } else {
                require(isPlain(c));
                string.append(c);
            }
        }
    }

    /** Returns whether YAML has this character in quotes, and as no part of a pair or a line break. */
    private static boolean isPlain(char c) {
        return (c >= ' ' && c <= '~')
                || (c >= 0xa0 && c != 0x2028 && c != 0x2029 && c != 0xfeff && c <= 0xfffd && !Character.isSurrogate(c));
    }

    private char escape() {
        char c = peek();
        at++;
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> hexadecimal();
            default -> throw new UnusualJsonException();
        };
    }

    private char hexadecimal() {
        int code = 0;
        for (int end = at + 4; at < end; at++) {
            int digit = Character.digit(peek(), 16);
            require(digit >= 0 && peek() <= 'f');
            code = 16 * code + digit;
        }
        require(!Character.isSurrogate((char) code));
        return (char) code;
    }
}
