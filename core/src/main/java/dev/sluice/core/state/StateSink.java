package dev.sluice.core.state;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskKind;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Resources;
import java.time.Duration;
import java.time.Instant;

/**
 * Stores the parts of a checkpoint, one after the other. A {@link StateSource} returns the same parts in the same
 * order. Parts are not tagged, so writer and reader must process them in the same order.
 */
public interface StateSink {

    void flag(boolean value);

    void number(long value);

    /** Stores a number without loss of precision. */
    void decimal(double value);

    void text(String value);

    /** Stores an instant with full precision. */
    void instant(Instant value);

    /** Stores a duration with full precision. */
    void duration(Duration value);

    void resources(Resources value);

    void configuration(PartitionConfiguration value);

    /** Stores the specification of an application without its tasks. */
    void application(ApplicationSpec value);

    /** Stores a kind of tasks. An object that is stored twice is returned as one object. */
    void kind(TaskKind value);
}
