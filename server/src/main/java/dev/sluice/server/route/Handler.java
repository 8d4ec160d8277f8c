package dev.sluice.server.route;

import java.util.concurrent.CompletionStage;

/**
 * Handles the calls of a route. A {@link ProblemException}, thrown or as the result of a stage, is answered as a
 * problem document.
 */
public sealed interface Handler {

    /** A handler that may block; called on a worker thread. */
    @FunctionalInterface
    non-sealed interface Blocking extends Handler {

        ApiResponse handle(Call call);
    }

    /** A handler that never blocks: many calls can be in flight without a thread each. */
    @FunctionalInterface
    non-sealed interface Async extends Handler {

        /** Returns a stage of the response; never of an {@link ApiResponse.StreamBody}, because writing one blocks. */
        CompletionStage<ApiResponse> handle(Call call);
    }
}
