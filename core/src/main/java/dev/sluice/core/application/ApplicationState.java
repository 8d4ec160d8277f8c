package dev.sluice.core.application;

import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * The states of an application and the transitions between them.
 *
 * <p>{@link #mayBecome} is the only transition table; the diagram in the documentation is generated from it.
 */
public enum ApplicationState {
    /** Submitted, without any task yet. */
    NEW("New"),
    /** Has tasks; none has been allocated yet. */
    ACCEPTED("Accepted"),
    /** One of its tasks has been allocated. */
    STARTING("Starting"),
    /** More than one of its tasks has been allocated, or its starting phase has ended. */
    RUNNING("Running"),
    /** No queue accepted it. */
    REJECTED("Rejected"),
    /** No task is left; more may still be added. */
    COMPLETING("Completing"),
    /** All tasks ended successfully. */
    COMPLETED("Completed"),
    /** Its running tasks are being stopped; nothing new starts. */
    FAILING("Failing"),
    /** Cancelled, or a task failed for good. */
    FAILED("Failed"),
    /** Ended and removed after its retention time. */
    EXPIRED("Expired"),
    /** All its running tasks were preempted or lost, or it is retried; it continues as an accepted application. */
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
        table.put(COMPLETED, EnumSet.of(EXPIRED, RESUMING));
        table.put(FAILED, EnumSet.of(EXPIRED, RESUMING));
        table.put(EXPIRED, EnumSet.noneOf(ApplicationState.class));
        return Collections.unmodifiableMap(table);
    }

    /** Returns the possible next states, in declaration order. */
    public Set<ApplicationState> mayBecome() {
        return Collections.unmodifiableSet(TRANSITIONS.getOrDefault(this, EnumSet.noneOf(ApplicationState.class)));
    }

    public boolean mayBecome(ApplicationState next) {
        Set<ApplicationState> following = TRANSITIONS.get(this);
        return following != null && following.contains(next);
    }

    /** Whether the application has ended: it has no allocation, and nothing will start unless it is retried. */
    public boolean isEnded() {
        return this == REJECTED || this == COMPLETED || this == FAILED || this == EXPIRED;
    }

    /** The name in files and in the API, such as {@code Running}. */
    public String wireName() {
        return wireName;
    }
}
