package dev.sluice.core.state;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskKind;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Resources;
import java.time.Duration;
import java.time.Instant;

/**
 * Gives the parts of a state that a {@link StateSink} took, in the same order. All throw {@link IllegalStateException} when there is no
 * such part: then what was kept is damaged.
 */
public interface StateSource {

    /** The next part, a truth value. */
    boolean flag();

    /** The next part, a whole number. */
    long number();

    /** The next part, a number. */
    double decimal();

    /** The next part, a text. */
    String text();

    /** The next part, an instant. */
    Instant instant();

    /** The next part, a duration. */
    Duration duration();

    /** The next part, amounts. */
    Resources resources();

    /** The next part, the configuration of a partition. */
    PartitionConfiguration configuration();

    /** The next part, what was submitted, without tasks. */
    ApplicationSpec application();

    /** The next part, the kind of tasks. */
    TaskKind kind();
}
