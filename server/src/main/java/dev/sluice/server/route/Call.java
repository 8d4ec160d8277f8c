package dev.sluice.server.route;

import org.jspecify.annotations.Nullable;

/** One request to a route. What is asked of it and is not as it should be is answered with a {@link ProblemException}. */
public interface Call {

    /** The header that says who calls. */
    String ACTOR_HEADER = "Sluice-User";

    /** This parameter of the path. */
    String path(String name);

    /** This parameter of the query, or null. */
    @Nullable String query(String name);

    /** This parameter of the query as a whole number in these bounds. */
    long number(String name, long whenMissing, long min, long max);

    /** This header, or null. */
    @Nullable String header(String name);

    /** What was sent, as text. */
    String text();

    /** What was sent, as a value of this type. */
    <T> T body(Class<T> type);

    /** The media type of what was sent, without parameters, in small letters; empty if none is named. */
    String mediaType();

    /** Who it is from, as far as that is known; may be empty. */
    String actor();

    /** Whether the caller accepts YAML and no JSON. */
    boolean prefersYaml();
}
