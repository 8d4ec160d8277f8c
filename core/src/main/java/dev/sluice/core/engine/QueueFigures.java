package dev.sluice.core.engine;

import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.share.DominantShare;
import dev.sluice.core.share.LoadClassShare;
import dev.sluice.core.share.ShareFigures;
import dev.sluice.core.share.UsageFigures;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import java.time.Instant;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * What is shown of a queue beside its counts.
 *
 * @param depth the number of queues above it
 * @param policy the share policy of a parent, the sort policy of a leaf
 * @param allocated the resources allocated to its tasks
 * @param dominantShare its dominant share, infinite if it has something of which it is due nothing; empty unless its
 *     parent shares by {@code fair}
 * @param load its share of workers as of the start of the last cycle; null unless its parent shares by {@code load}
 * @param usage its share with its current usage priority; null unless its parent shares by {@code usage}
 */
public record QueueFigures(
        int depth,
        String policy,
        Resources allocated,
        OptionalDouble dominantShare,
        @Nullable LoadClassShare load,
        @Nullable UsageFigures usage) {

    /** Returns the figures of a queue at this instant. */
    public static QueueFigures of(Scheduler scheduler, Partition partition, Queue queue, Instant now) {
        Queue parent = queue.parent();
        int depth = 0;
        for (Queue above = parent; above != null; above = above.parent()) {
            depth++;
        }
        boolean fair = parent == null || parent.sharePolicy() == SharePolicyKind.FAIR;
        ShareFigures figures = scheduler.figuresOf(partition.name(), queue, now);
        return new QueueFigures(
                depth,
                queue.isLeaf()
                        ? queue.sortPolicy().wireName()
                        : queue.sharePolicy().wireName(),
                partition.amounts(queue::allocated),
                fair
                        ? OptionalDouble.of(DominantShare.largest(DominantShare.of(queue, partition)))
                        : OptionalDouble.empty(),
                figures instanceof LoadClassShare load ? load : null,
                figures instanceof UsageFigures usage ? usage : null);
    }
}
