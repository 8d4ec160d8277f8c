package dev.sluice.cli.terminal;

/** Emphasis by ANSI escape sequences, or none at all. */
public final class Style {

    /** No emphasis. */
    public static final Style PLAIN = new Style(false);

    private static final Style COLOURED = new Style(true);

    private final boolean on;

    private Style(boolean on) {
        this.on = on;
    }

    /** With or without colours. */
    public static Style of(boolean on) {
        return on ? COLOURED : PLAIN;
    }

    /** A heading, a name that matters. */
    public String strong(String text) {
        return wrap("1", text);
    }

    /** What matters less than the rest. */
    public String faint(String text) {
        return wrap("2", text);
    }

    /** What went well. */
    public String good(String text) {
        return wrap("32", text);
    }

    /** What went wrong. */
    public String bad(String text) {
        return wrap("1;31", text);
    }

    /** What wants attention. */
    public String warning(String text) {
        return wrap("33", text);
    }

    private String wrap(String code, String text) {
        return on && !text.isEmpty() ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
    }
}
