package dev.sluice.server.route;

/** Answers the calls of a route. */
@FunctionalInterface
public interface Handler {

    /** The answer; throws {@link ProblemException} for one that says what is wrong. */
    Answer handle(Call call);
}
