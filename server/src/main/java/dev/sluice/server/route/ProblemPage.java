package dev.sluice.server.route;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Answers the problems of a route that people open in a browser, in place of the problem document. */
@FunctionalInterface
public interface ProblemPage {

    /**
     * A request that could not be answered.
     *
     * @param caller who sent it, or null if that is unknown
     * @param target its path and query
     * @param headers returns a header, or null if absent
     */
    record FailedRequest(@Nullable Caller caller, String target, Function<String, @Nullable String> headers) {}

    /** Returns the answer. */
    ApiResponse answer(ProblemException problem, FailedRequest request);
}
