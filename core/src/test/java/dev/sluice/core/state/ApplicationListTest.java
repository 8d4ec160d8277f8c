package dev.sluice.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.engine.Scheduler;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Interrupted iterations over the applications of a partition during churn. */
final class ApplicationListTest {

    private static final String PARTITION = PartitionConfiguration.DEFAULT_NAME;
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

    private final Scheduler scheduler = new Scheduler();
    private final Set<String> present = new LinkedHashSet<>();
    private int submitted;

    ApplicationListTest() {
        handle(new Command.ApplyConfiguration(List.of(PartitionConfiguration.simplest())));
    }

    private void handle(Command command) {
        assertThat(scheduler.handle(command, NOW).refusal()).isNull();
    }

    private Partition partition() {
        return Objects.requireNonNull(scheduler.state().partition(PARTITION));
    }

    private void submit() {
        String id = "a" + submitted++;
        handle(new Command.SubmitApplication(PARTITION, ApplicationSpec.open(id, "root.default")));
        present.add(id);
    }

    private void forget(String id) {
        handle(new Command.CancelApplication(PARTITION, id, "over"));
        handle(new Command.ForgetApplication(PARTITION, id));
        present.remove(id);
    }

    /** An iteration, and the applications it must visit: those present at its start that still are. */
    private static final class Walk {

        private final List<String> seen = new ArrayList<>();
        private final Set<String> due;
        private @Nullable Application position;

        Walk(Set<String> due) {
            this.due = new LinkedHashSet<>(due);
        }

        /** Advances by one step; returns whether it was the last one. */
        boolean step(Partition partition) {
            Application next = partition.nextApplication(position);
            if (next == null) {
                return true;
            }
            position = next;
            seen.add(next.id());
            return false;
        }
    }

    @Test
    void iteration_duringChurn_visitsRemainingOnceInOrder() {
        long seed = 5;
        Random random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            for (int i = random.nextInt(8); i > 0; i--) {
                submit();
            }
            Walk walk = new Walk(present);
            int changes = random.nextInt(30);
            boolean ended = false;
            while (!ended) {
                for (int i = random.nextInt(3); i > 0 && changes > 0; i--, changes--) {
                    List<String> ids = new ArrayList<>(present);
                    if (random.nextInt(3) > 0 && !ids.isEmpty()) {
                        // mostly at the end, or at the current position
                        String id = ids.get(random.nextBoolean() ? ids.size() - 1 : random.nextInt(ids.size()));
                        forget(id);
                        walk.due.remove(id);
                    } else {
                        submit();
                    }
                }
                ended = walk.step(partition());
            }
            assertThat(walk.seen)
                    .as("seed %d, round %d", seed, round)
                    .doesNotHaveDuplicates()
                    .containsAll(walk.due);
            assertThat(walk.seen).isSortedAccordingTo((a, b) -> number(a) - number(b));
            assertThat(partition().applications()).extracting(Application::id).containsExactlyElementsOf(present);
            assertThat(walk.seen).as("what came while it was under way, too").containsAll(present);
        }
    }

    private static int number(String id) {
        return Integer.parseInt(id.substring(1));
    }
}
