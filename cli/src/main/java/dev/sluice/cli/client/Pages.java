package dev.sluice.cli.client;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Puts the parts of a list together. */
public final class Pages {

    private static final int PAGE = 1000;

    private Pages() {}

    /**
     * All of a list, as one page; it has a {@code next} only if there are more than were wanted.
     *
     * @param path without the parameters that belong to pages
     * @param position the name of the parameter that says where a page begins
     * @param from where the first page begins, or null
     * @param pageMax how many a page may have
     * @param most how many are wanted
     */
    public static ObjectNode all(
            ServerClient client, ApiPath path, String position, @Nullable String from, int pageMax, long most) {
        ArrayNode items = ClientJson.list();
        String next = from;
        do {
            long wanted = Math.min(pageMax, most - items.size());
            JsonNode page =
                    client.get(path.with(position, next).with("limit", wanted)).tree();
            page.path("items").forEach(items::add);
            next = page.path("next").asString(null);
        } while (next != null && items.size() < most);
        ObjectNode all = ClientJson.object();
        all.set("items", items);
        if (next != null) {
            all.put("next", next);
        }
        return all;
    }

    /** All of a list whose pages begin {@code after} something. */
    public static ObjectNode all(ServerClient client, ApiPath path, long most) {
        return all(client, path, "after", null, PAGE, most);
    }
}
