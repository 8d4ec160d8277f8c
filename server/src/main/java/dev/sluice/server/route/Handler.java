package dev.sluice.server.route;

import java.util.concurrent.CompletionStage;

/** Answers the calls of a route; a {@link ProblemException}, thrown or handed out, is answered with what it says is wrong. */
public sealed interface Handler {

    /** One that may take its time, on a thread of its own. */
    @FunctionalInterface
    non-sealed interface Blocking extends Handler {

        /** The answer. */
        ApiResponse handle(Call call);
    }

    /** One that never waits: its answer comes later, so that a great many calls can be under way without a thread for each. */
    @FunctionalInterface
    non-sealed interface Async extends Handler {

        /** The answer to come; never an {@link ApiResponse.StreamBody}, since to write one takes time. */
        CompletionStage<ApiResponse> handle(Call call);
    }
}
