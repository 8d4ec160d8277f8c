package dev.sluice.cli.terminal;

import java.util.List;

/** Emphasis by ANSI escape sequences, or none. */
public final class Style {

    public static final Style PLAIN = new Style(false);

    /** Colors that are readable on light and dark backgrounds. */
    private static final List<String> DISTINCT = List.of("36", "33", "32", "35", "34", "31");

    private static final Style COLOURED = new Style(true);

    private final boolean on;

    private Style(boolean on) {
        this.on = on;
    }

    /** Returns a style with or without colors. */
    public static Style of(boolean on) {
        return on ? COLOURED : PLAIN;
    }

    /** Emphasizes a heading or an important name. */
    public String strong(String text) {
        return wrap("1", text);
    }

    /** Marks secondary text. */
    public String faint(String text) {
        return wrap("2", text);
    }

    /** Marks success. */
    public String good(String text) {
        return wrap("32", text);
    }

    /** Marks failure. */
    public String bad(String text) {
        return wrap("1;31", text);
    }

    /** Marks a warning. */
    public String warning(String text) {
        return wrap("33", text);
    }

    /** Gives texts with different numbers different colors, as far as there are any. */
    public String colored(int number, String text) {
        return wrap(DISTINCT.get(Math.floorMod(number, DISTINCT.size())), text);
    }

    private String wrap(String code, String text) {
        return on && !text.isEmpty() ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
    }
}
