package dev.sluice.core.application;

import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * Where an application is in its life, and the only way from one state to another.
 *
 * <p>{@link #mayBecome} is the one transition table; the diagram in the documentation is made from it.
 */
public enum ApplicationState {
    /** Submitted, without a task so far. */
    NEW("New"),
    /** It has tasks; none has been placed yet. */
    ACCEPTED("Accepted"),
    /** One of its tasks has been placed. */
    STARTING("Starting"),
    /** More than one of its tasks has been placed, or it need not be waited for any longer. */
    RUNNING("Running"),
    /** No queue took it. */
    REJECTED("Rejected"),
    /** No task is left; tasks may still be added. */
    COMPLETING("Completing"),
    /** It ended well. */
    COMPLETED("Completed"),
    /** What still runs is being stopped; nothing more is placed. */
    FAILING("Failing"),
    /** It was cancelled or a task failed for good. */
    FAILED("Failed"),
    /** It ended long ago and is forgotten. */
    EXPIRED("Expired"),
    /** Everything it ran was taken from it; it will begin again as an accepted one. */
    RESUMING("Resuming");

    private static final Map<ApplicationState, Set<ApplicationState>> TRANSITIONS = transitions();

    private final String wireName;

    ApplicationState(String wireName) {
        this.wireName = wireName;
    }

    private static Map<ApplicationState, Set<ApplicationState>> transitions() {
        Map<ApplicationState, Set<ApplicationState>> table = new EnumMap<>(ApplicationState.class);
        table.put(NEW, EnumSet.of(ACCEPTED, REJECTED, COMPLETING, FAILING));
        table.put(ACCEPTED, EnumSet.of(STARTING, FAILING));
        table.put(STARTING, EnumSet.of(RUNNING, COMPLETING, RESUMING, FAILING));
        table.put(RUNNING, EnumSet.of(COMPLETING, RESUMING, FAILING));
        table.put(RESUMING, EnumSet.of(ACCEPTED));
        table.put(COMPLETING, EnumSet.of(RUNNING, COMPLETED, FAILING));
        table.put(FAILING, EnumSet.of(FAILED));
        table.put(REJECTED, EnumSet.of(EXPIRED));
        table.put(COMPLETED, EnumSet.of(EXPIRED));
        table.put(FAILED, EnumSet.of(EXPIRED));
        table.put(EXPIRED, EnumSet.noneOf(ApplicationState.class));
        return Collections.unmodifiableMap(table);
    }

    /** The states that may follow this one, in the order of their declaration. */
    public Set<ApplicationState> mayBecome() {
        return Collections.unmodifiableSet(TRANSITIONS.getOrDefault(this, EnumSet.noneOf(ApplicationState.class)));
    }

    /** Whether this state may follow. */
    public boolean mayBecome(ApplicationState next) {
        Set<ApplicationState> following = TRANSITIONS.get(this);
        return following != null && following.contains(next);
    }

    /** Whether the application is over: it holds nothing and nothing will run. */
    public boolean isEnded() {
        return this == REJECTED || this == COMPLETED || this == FAILED || this == EXPIRED;
    }

    /** The name used in files and answers, such as {@code Running}. */
    public String wireName() {
        return wireName;
    }
}
