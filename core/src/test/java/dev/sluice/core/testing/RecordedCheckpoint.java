package dev.sluice.core.testing;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskKind;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.core.state.StateSink;
import dev.sluice.core.state.StateSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;

/** The checkpoint of a state as a list of parts, each the original object. */
public final class RecordedCheckpoint implements StateSink {

    private final List<Object> parts;

    private RecordedCheckpoint(List<Object> parts) {
        this.parts = parts;
    }

    /** Creates the checkpoint of this state. */
    public static RecordedCheckpoint of(SchedulerState state) {
        RecordedCheckpoint checkpoint = new RecordedCheckpoint(new ArrayList<>());
        state.writeTo(checkpoint);
        return checkpoint;
    }

    /** Creates a checkpoint of these parts, valid or not. */
    public static RecordedCheckpoint of(List<Object> parts) {
        return new RecordedCheckpoint(List.copyOf(parts));
    }

    public List<Object> parts() {
        return Collections.unmodifiableList(parts);
    }

    /** Restores the state; throws {@link AssertionError} if parts are left over. */
    public SchedulerState state() {
        Parts source = new Parts(parts.iterator());
        SchedulerState state = SchedulerState.readFrom(source);
        if (source.parts.hasNext()) {
            throw new AssertionError("data after the end of the checkpoint: " + source.parts.next());
        }
        return state;
    }

    /** Returns a source that starts at the first part. */
    public StateSource source() {
        return new Parts(parts.iterator());
    }

    @Override
    public void flag(boolean value) {
        parts.add(value);
    }

    @Override
    public void number(long value) {
        parts.add(value);
    }

    @Override
    public void decimal(double value) {
        parts.add(value);
    }

    @Override
    public void text(String value) {
        parts.add(value);
    }

    @Override
    public void instant(Instant value) {
        parts.add(value);
    }

    @Override
    public void duration(Duration value) {
        parts.add(value);
    }

    @Override
    public void resources(Resources value) {
        parts.add(value);
    }

    @Override
    public void configuration(PartitionConfiguration value) {
        parts.add(value);
    }

    @Override
    public void application(ApplicationSpec value) {
        parts.add(value);
    }

    @Override
    public void kind(TaskKind value) {
        parts.add(value);
    }

    /** Supplies the parts in order. */
    private record Parts(Iterator<Object> parts) implements StateSource {

        private <T> T next(Class<T> type) {
            if (!parts.hasNext()) {
                throw new IllegalStateException("the checkpoint ends early");
            }
            Object part = parts.next();
            if (!type.isInstance(part)) {
                throw new IllegalStateException(
                        "a part is " + part.getClass().getSimpleName() + ", not " + type.getSimpleName());
            }
            return type.cast(part);
        }

        @Override
        public boolean flag() {
            return next(Boolean.class);
        }

        @Override
        public long number() {
            return next(Long.class);
        }

        @Override
        public double decimal() {
            return next(Double.class);
        }

        @Override
        public String text() {
            return next(String.class);
        }

        @Override
        public Instant instant() {
            return next(Instant.class);
        }

        @Override
        public Duration duration() {
            return next(Duration.class);
        }

        @Override
        public Resources resources() {
            return next(Resources.class);
        }

        @Override
        public PartitionConfiguration configuration() {
            return next(PartitionConfiguration.class);
        }

        @Override
        public ApplicationSpec application() {
            return next(ApplicationSpec.class);
        }

        @Override
        public TaskKind kind() {
            return next(TaskKind.class);
        }
    }
}
