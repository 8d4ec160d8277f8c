package dev.sluice.runtime.journal;

import dev.sluice.core.application.ApplicationState;
import org.jspecify.annotations.Nullable;

/**
 * Selects ended applications, most recently ended first.
 *
 * @param partition the partition
 * @param id only applications with this id, or null
 * @param queue only applications in this queue or below it, or null
 * @param user only applications of this user, or null
 * @param state only applications that ended in this state, or null
 * @param before only smaller sequence numbers: {@link Long#MAX_VALUE} for the first page, then the last one of the
 *     previous page
 * @param limit the maximum number of results
 */
public record FinishedQuery(
        String partition,
        @Nullable String id,
        @Nullable String queue,
        @Nullable String user,
        @Nullable ApplicationState state,
        long before,
        int limit) {}
