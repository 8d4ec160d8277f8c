package dev.sluice.core.share;

import dev.sluice.core.state.Queue;

/** A queue as its parent's share policy sees it. */
public interface Child {

    /** The queue, with what it has and what it asks for. */
    Queue queue();

    /** Its place among its parent's children, from 0. */
    int position();

    /** Whether a task below it could be placed now, as far as is known in this cycle. */
    boolean isEligible();

    /**
     * How many pending tasks below it could start now if nodes had room for them, at most. A task that cannot start whatever room there is does not
     * count: its queue, or one up to this child, is at its maximum; no further application may become active; its application is behind another one; no
     * ready node is large enough or has the labels; it is in a class that is never served.
     */
    long startableTasks();

    /** The highest priority of what is in play below it, with its offset; only when it is in play. */
    long priority();

    /** Whether tasks below it were passed over because they exceeded what this child might take. */
    boolean isOverBudget();

    /** Brings those tasks back into play, because the child may take more now. */
    void requeue();
}
