package dev.sluice.core.state;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskKind;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Resources;
import java.time.Duration;
import java.time.Instant;

/**
 * Returns the parts of a checkpoint in the order in which a {@link StateSink} stored them. Every method returns the
 * next part, and throws {@link IllegalStateException} if there is none or it has another type, because the checkpoint
 * is damaged.
 */
public interface StateSource {

    boolean flag();

    long number();

    double decimal();

    String text();

    Instant instant();

    Duration duration();

    Resources resources();

    PartitionConfiguration configuration();

    /** Returns the next part, the specification of an application without its tasks. */
    ApplicationSpec application();

    TaskKind kind();
}
