package dev.sluice.core.state;

import dev.sluice.core.application.RunRef;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A run of a task on a node, as of an event.
 *
 * @param run the run
 * @param node the name of the node; empty in events of journals that did not record it
 * @param origin the origin of its application
 * @param placed when it was allocated
 * @param started when it was reported as started, or null
 */
public record Allocation(
        RunRef run,
        String node,
        ApplicationOrigin origin,
        Instant placed,
        @Nullable Instant started) {}
