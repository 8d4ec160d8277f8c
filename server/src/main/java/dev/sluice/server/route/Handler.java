package dev.sluice.server.route;

import java.util.concurrent.CompletionStage;

/** Answers the calls of a route; a {@link ProblemException}, thrown or handed out, is answered with what it says is wrong. */
public sealed interface Handler {

    /** One that may take its time, on a thread of its own. */
    @FunctionalInterface
    non-sealed interface Waiting extends Handler {

        /** The answer. */
        Answer handle(Call call);
    }

    /** One that never waits: its answer comes later, so that a great many calls can be under way without a thread for each. */
    @FunctionalInterface
    non-sealed interface Prompt extends Handler {

        /** The answer to come; never an {@link Answer.Stream}, since to write one takes time. */
        CompletionStage<Answer> handle(Call call);
    }
}
