package dev.sluice.server.route;

/**
 * A parameter of a route, in its path or its query.
 *
 * @param name its name
 * @param place where it stands
 * @param type what it is
 * @param description what it means, for people
 */
public record Parameter(String name, Location place, Type type, String description) {

    /** Where parameters stand. */
    public enum Location {
        /** In the path, as {@code {name}}; always there. */
        PATH("path"),
        /** In the query; may be left out. */
        QUERY("query"),
        /** In a header; may be left out. */
        HEADER("header");

        private final String wireName;

        Location(String wireName) {
            this.wireName = wireName;
        }

        /** The name used in documents. */
        public String wireName() {
            return wireName;
        }
    }

    /** What parameters are. */
    public enum Type {
        /** A text. */
        TEXT("string"),
        /** A whole number. */
        NUMBER("integer"),
        /** True or false. */
        FLAG("boolean");

        private final String wireName;

        Type(String wireName) {
            this.wireName = wireName;
        }

        /** The name used in documents. */
        public String wireName() {
            return wireName;
        }
    }
}
