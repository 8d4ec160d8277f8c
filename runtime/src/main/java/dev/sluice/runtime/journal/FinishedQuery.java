package dev.sluice.runtime.journal;

import dev.sluice.core.application.ApplicationState;
import org.jspecify.annotations.Nullable;

/**
 * Which applications that have ended are asked for, the one that ended last first.
 *
 * @param partition their partition
 * @param id only those with this id, or null
 * @param queue only those in this queue or below it, or null
 * @param user only those of this user, or null
 * @param state only those that ended like this, or null
 * @param before only those with a smaller sequence number: {@link Long#MAX_VALUE} for the first page, then that of the last one seen
 * @param limit at most so many
 */
public record FinishedQuery(
        String partition,
        @Nullable String id,
        @Nullable String queue,
        @Nullable String user,
        @Nullable ApplicationState state,
        long before,
        int limit) {}
