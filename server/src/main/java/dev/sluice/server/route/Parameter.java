package dev.sluice.server.route;

/**
 * A parameter of a route.
 *
 * @param name its name
 * @param location where it is passed
 * @param type its type
 * @param description its meaning
 */
public record Parameter(String name, Location location, Type type, String description) {

    /** Where a parameter is passed. */
    public enum Location {
        /** A path segment {@code {name}}; always required. */
        PATH("path"),
        /** A query parameter; optional. */
        QUERY("query"),
        /** A header; optional. */
        HEADER("header");

        private final String wireName;

        Location(String wireName) {
            this.wireName = wireName;
        }

        /** Returns the name used in OpenAPI. */
        public String wireName() {
            return wireName;
        }
    }

    /** The type of a parameter. */
    public enum Type {
        TEXT("string"),
        NUMBER("integer"),
        FLAG("boolean");

        private final String wireName;

        Type(String wireName) {
            this.wireName = wireName;
        }

        /** Returns the name used in OpenAPI. */
        public String wireName() {
            return wireName;
        }
    }
}
