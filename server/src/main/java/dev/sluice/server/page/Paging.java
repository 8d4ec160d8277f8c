package dev.sluice.server.page;

import dev.sluice.server.route.Call;
import java.util.List;
import java.util.Map;

/**
 * Which rows of a list a page shows.
 *
 * @param from the number of rows before the first one
 * @param size the maximum number of rows
 * @param total the number of all rows
 */
public record Paging(String address, Map<String, String> query, int from, int size, int total) {

    private static final String FROM = "from";

    static Paging of(Call call, String address, Map<String, String> query, int size) {
        return new Paging(address, query, (int) call.number(FROM, 0, 0, Integer.MAX_VALUE), size, 0);
    }

    /** Returns the rows to show. */
    <T> List<T> shown(List<T> rows) {
        return rows.subList(Math.min(from, rows.size()), (int) Math.min((long) from + size, rows.size()));
    }

    Paging among(int newTotal) {
        return new Paging(address, query, from, size, newTotal);
    }

    String self() {
        return Links.with(address, query, FROM, from == 0 ? "" : Integer.toString(from));
    }

    /** Returns the address of the next rows; empty if there are none. */
    public String next() {
        return (long) from + size < total ? Links.with(address, query, FROM, Integer.toString(from + size)) : "";
    }

    /** Returns the address of the previous rows; empty if there are none. */
    public String previous() {
        return from == 0 ? "" : Links.with(address, query, FROM, from <= size ? "" : Integer.toString(from - size));
    }

    /** Returns which rows are shown, such as {@code 1 to 200 of 3,000}. */
    public String text() {
        return Figures.count(Math.min(from + 1L, total)) + " to " + Figures.count(Math.min((long) from + size, total))
                + " of " + Figures.count(total);
    }
}
