package dev.sluice.core.state;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskKind;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Resources;
import java.time.Duration;
import java.time.Instant;

/**
 * Takes the parts of a state one after the other, to keep them. Who reads them later gets the same parts in the same order from a
 * {@link StateSource}; nothing says which part is which, so both sides must go through them alike.
 */
public interface StateSink {

    /** Takes a truth value. */
    void flag(boolean value);

    /** Takes a whole number. */
    void number(long value);

    /** Takes a number, exactly. */
    void decimal(double value);

    /** Takes a text. */
    void text(String value);

    /** Takes an instant, exactly. */
    void instant(Instant value);

    /** Takes a duration, exactly. */
    void duration(Duration value);

    /** Takes amounts. */
    void resources(Resources value);

    /** Takes the configuration of a partition. */
    void configuration(PartitionConfiguration value);

    /** Takes what was submitted; its tasks are not taken. */
    void application(ApplicationSpec value);

    /** Takes the kind of tasks; what is given twice as one object is given back as one object. */
    void kind(TaskKind value);
}
