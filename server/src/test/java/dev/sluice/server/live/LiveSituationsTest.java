package dev.sluice.server.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import dev.sluice.config.situation.ApplicationEntry;
import dev.sluice.config.situation.Situation;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.command.Reply;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.explain.Looks;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Event;
import dev.sluice.runtime.journal.Keepsake;
import dev.sluice.runtime.loop.Desk;
import dev.sluice.server.TestDesk;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Situations that are taken while the scheduler goes on. */
final class LiveSituationsTest {

    private static final String PARTITION = PartitionConfiguration.DEFAULT_NAME;
    private static final int APPLICATIONS = 2_000;

    private final LiveSituations situations = new LiveSituations((sequence, event, state) -> null);

    private final Desk desk = new TestDesk() {
        @Override
        public Reply handle(Command command) {
            Reply reply = super.handle(command);
            for (Event event : reply.events()) {
                Keepsake none = situations.keepsakeOf(0, event, state());
                assertThat(none).isNull();
            }
            return reply;
        }
    };

    LiveSituationsTest() {
        submitAll();
    }

    private void submitAll() {
        desk.handle(new Command.ApplyConfiguration(List.of(PartitionConfiguration.simplest())));
        for (int i = 0; i < APPLICATIONS; i++) {
            submit("a" + i);
        }
    }

    private void submit(String id) {
        Reply reply = desk.handle(new Command.SubmitApplication(
                PARTITION,
                ApplicationSpec.open(id, "root.default", TaskSpec.single("t", Resources.parse("vcore", "1")))));
        assertThat(reply.refusal()).isNull();
    }

    private LiveSituations.Taking begin() throws InterruptedException {
        return Objects.requireNonNull(situations.begin(Duration.ZERO));
    }

    private boolean piece(LiveSituations.Taking taking) {
        return taking.look(desk, new Looks(200));
    }

    @Test
    void situation_takenWhileApplicationsComeAndGo_isOfOneInstant() throws InterruptedException {
        try (LiveSituations.Taking taking = begin()) {
            int pieces = 1;
            assertThat(piece(taking)).isFalse();
            desk.handle(new Command.CancelApplication(PARTITION, "a0", "not any more"));
            submit("late");
            while (!piece(taking)) {
                pieces++;
            }
            desk.handle(new Command.CancelApplication(PARTITION, "a1", "too late to be seen"));
            Situation situation = taking.answer();
            assertThat(pieces).isGreaterThan(5);
            assertThat(situation.applications())
                    .extracting(ApplicationEntry::id)
                    .hasSize(APPLICATIONS)
                    .doesNotContain("a0")
                    .contains("a1")
                    .endsWith("late");
        }
    }

    @Test
    void situation_whileAnotherIsTaken_waitsForItsTurn() throws InterruptedException {
        try (LiveSituations.Taking first = begin()) {
            assertThat(piece(first)).isFalse();
            assertThat(situations.begin(Duration.ZERO)).isNull();
        }
        try (LiveSituations.Taking second = begin()) {
            assertThat(piece(second)).isFalse();
        }
    }

    @Test
    void taking_closedTwice_letsOnlyOneFollow() throws InterruptedException {
        LiveSituations.Taking first = begin();
        first.close();
        assertThatNoException().isThrownBy(first::close);
        try (LiveSituations.Taking second = begin()) {
            assertThat(situations.begin(Duration.ZERO)).isNull();
            assertThat(piece(second)).isFalse();
        }
    }
}
