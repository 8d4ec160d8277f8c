package dev.sluice.cli.client;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads paginated lists. */
public final class Pages {

    private static final int PAGE = 1000;

    private Pages() {}

    /**
     * Returns a list as one page; {@code next} is present only if there are more items than requested.
     *
     * @param path path without pagination parameters
     * @param position name of the query parameter for the start of a page
     * @param from start of the first page, or null
     * @param pageMax maximum page size
     * @param most maximum number of items
     */
    public static ObjectNode all(
            ServerClient client, ApiPath path, String position, @Nullable String from, int pageMax, long most) {
        ArrayNode items = ClientJson.list();
        String next = each(client, path, position, from, pageMax, most, items::add);
        ObjectNode all = ClientJson.object();
        all.set("items", items);
        if (next != null) {
            all.put("next", next);
        }
        return all;
    }

    /**
     * Reads a list page by page; returns the start of the next page if there are more items than requested, else null.
     */
    public static @Nullable String each(
            ServerClient client,
            ApiPath path,
            String position,
            @Nullable String from,
            int pageMax,
            long most,
            Consumer<JsonNode> reader) {
        String next = from;
        long left = most;
        do {
            JsonNode page = client.get(path.with(position, next).with("limit", Math.min(pageMax, left)))
                    .tree();
            page.path("items").forEach(reader);
            left -= page.path("items").size();
            next = page.path("next").asString(null);
        } while (next != null && left > 0);
        return next;
    }

    /** Returns a list whose pages start with the parameter {@code after}. */
    public static ObjectNode all(ServerClient client, ApiPath path, long most) {
        return all(client, path, "after", null, PAGE, most);
    }
}
