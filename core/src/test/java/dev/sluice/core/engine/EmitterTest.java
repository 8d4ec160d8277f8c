package dev.sluice.core.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.ApplicationOrigin;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.PartitionEvent;
import dev.sluice.core.state.SchedulerState;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The emitter's state after a call that failed. */
class EmitterTest {

    private final Emitter emitter = new Emitter(new SchedulerState());

    @Test
    void emitter_withPendingEvents_hasBegun() {
        assertThat(emitter.hasPendingEvents()).isFalse();
        Event event = new PartitionEvent.Configured(PartitionConfiguration.simplest(), Instant.EPOCH);
        emitter.emit(event);
        assertThat(emitter.hasPendingEvents()).isTrue();
        assertThat(emitter.take()).containsExactly(event);
        assertThat(emitter.hasPendingEvents()).isFalse();
    }

    @Test
    void emitter_afterFailedEvent_hasBegun() {
        Event impossible = new ApplicationEvent.Sealed("nowhere", "nothing", ApplicationOrigin.UNKNOWN, Instant.EPOCH);
        assertThatThrownBy(() -> emitter.emit(impossible)).isInstanceOf(RuntimeException.class);
        assertThat(emitter.take()).isEmpty();
        assertThat(emitter.hasPendingEvents()).isTrue();
    }
}
