package dev.sluice.runtime.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.FailurePolicy;
import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.LoadProperties;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.QueueProperties;
import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Task;
import dev.sluice.core.testing.CheckedScheduler;
import dev.sluice.core.testing.ClusterUnderTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tallies of applications, compared with the state, which counts the same in another way. */
final class ApplicationTallyTest {

    private final CheckedScheduler scheduler = new CheckedScheduler();
    private final ClusterUnderTest cluster = new ClusterUnderTest(scheduler);
    private final ApplicationTallies tallies = new ApplicationTallies();
    private final TreeSet<String> seen = new TreeSet<>();
    private int counted;

    // root (load, rebalances)
    //  ├─ small 20 %
    //  └─ large 80 %
    private void twoClasses() {
        QueueProperties root = QueueProperties.DEFAULTS
                .withSharePolicy(SharePolicyKind.LOAD)
                .withLoad(LoadProperties.DEFAULTS.withRebalance(10, Duration.ofNanos(1)));
        cluster.queues(QueueConfiguration.parent("root", classOf("small", 20), classOf("large", 80))
                        .withProperties(root))
                .nodes("n", 3, "slots", "2", "vcore", "4");
    }

    private static QueueConfiguration classOf(String name, int percent) {
        return QueueConfiguration.leaf(name)
                .withProperties(QueueProperties.DEFAULTS.withLoad(LoadProperties.ofClass(percent)));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void figures_afterEveryStep_equalState(long seed) {
        Random random = new Random(seed);
        twoClasses();
        for (int i = 0; i < 8; i++) {
            cluster.submit(application("a" + i, i % 2 == 0 ? "root.small" : "root.large", random));
        }
        for (int step = 0; step < 150; step++) {
            step(random);
            countAndCompare();
            cluster.advance(Duration.ofSeconds(1));
        }
        assertThat(seen)
                .as("seed " + seed)
                .contains("Placed", "Started", "Stopping", "Ended", "TasksDropped", "StateChanged");
    }

    private static ApplicationSpec application(String id, String queue, Random random) {
        TaskSpec first = TaskSpec.of("first", 1 + random.nextInt(4), Resources.NONE)
                .withAttempts(1, null)
                .withLostRetries(1);
        TaskSpec started = TaskSpec.single("started", Resources.NONE)
                .withAfter(Map.of("first", TaskCondition.STARTED))
                .withAttempts(0, null);
        TaskSpec last = TaskSpec.of("last", 2, Resources.NONE)
                .withAfter(Map.of("first", TaskCondition.SUCCEEDED, "started", TaskCondition.SUCCEEDED));
        return ApplicationSpec.sealed(id, queue, first, started, last)
                .withOnFailure(random.nextBoolean() ? FailurePolicy.STOP : FailurePolicy.CONTINUE);
    }

    private void step(Random random) {
        List<Task> placed = cluster.placed();
        if (placed.isEmpty() || random.nextInt(3) == 0) {
            List<String> unused = cluster.cycle();
            return;
        }
        String task = placed.get(random.nextInt(placed.size())).toString();
        switch (random.nextInt(12)) {
            case 0 -> cluster.fail(task);
            case 1 -> cluster.lose(task);
            case 2 -> cluster.stop(task);
            case 3 -> cluster.cancel(task.substring(0, task.indexOf('/')));
            case 4, 5, 6, 7 -> cluster.startAll();
            default -> cluster.succeed(task);
        }
    }

    private void countAndCompare() {
        List<Event> journal = scheduler.journal();
        for (Event event : journal.subList(counted, journal.size())) {
            seen.add(event.getClass().getSimpleName());
            ApplicationTally unused = tallies.count(event);
        }
        counted = journal.size();
        Map<String, String> expected = new LinkedHashMap<>();
        for (Application application : cluster.partition().applications()) {
            expected.put(application.id(), figures(application));
        }
        Map<String, String> actual = new LinkedHashMap<>();
        for (ApplicationTally tally : tallies.all()) {
            actual.put(tally.id(), figures(tally));
        }
        assertThat(actual).isEqualTo(expected);
    }

    private static String figures(Application of) {
        return figures(
                of.state(),
                of.stateReason(),
                of.pending() > 0,
                of.tasks(),
                of.placed(),
                of.succeeded(),
                of.failed(),
                of.stopped());
    }

    private static String figures(ApplicationTally of) {
        return figures(
                of.state(),
                of.stateReason(),
                of.hasPendingTasks(),
                of.tasks(),
                of.running(),
                of.succeeded(),
                of.failed(),
                of.stopped());
    }

    private static String figures(Object... figures) {
        return List.of(figures).toString();
    }

    @Test
    void tallies_afterPreemption_countRunningTasksAsState() {
        twoClasses();
        cluster.submitSealed("b", "root.small", TaskSpec.of("t", 8, Resources.NONE));
        List<String> borrowed = cluster.cycle();
        assertThat(borrowed).hasSize(6);
        cluster.submitSealed("o", "root.large", TaskSpec.of("t", 8, Resources.NONE));
        for (int i = 0; i < 3; i++) {
            List<String> unused = cluster.advance(Duration.ofSeconds(1)).cycle();
            countAndCompare();
        }
        assertThat(seen).contains("Rebalanced", "Stopping");

        List<String> victims = new ArrayList<>();
        for (Task task : cluster.placed()) {
            if (task.isPreempting()) {
                victims.add(task.toString());
            }
        }
        assertThat(victims).isNotEmpty();
        for (String victim : victims) {
            cluster.fail(victim);
            countAndCompare();
        }
    }

    @Test
    void application_forgottenAndSubmittedAgain_isCountedAnew() {
        twoClasses();
        cluster.submitSealed("a", "root.small", TaskSpec.single("t", Resources.NONE));
        cluster.submitSealed("b", "root.small", TaskSpec.single("t", Resources.NONE));
        cluster.cancel("a").handle(new Command.ForgetApplication("default", "a"));
        scheduler.journal().forEach(tallies::count);
        counted = scheduler.journal().size();
        assertThat(tallies.all())
                .extracting(ApplicationTally::id, ApplicationTally::state)
                .as("the final state is kept")
                .first()
                .hasToString("(\"a\", FAILED)");

        cluster.submitSealed("a", "root.small", TaskSpec.of("t", 3, Resources.NONE));
        countAndCompare();
        assertThat(tallies.all()).extracting(ApplicationTally::id).containsExactly("b", "a");
        assertThat(tallies.all()).extracting(ApplicationTally::state).containsOnly(ApplicationState.ACCEPTED);
    }

    @Test
    void event_withoutSubmission_isRefused() {
        twoClasses();
        cluster.submitSealed("a", "root.small", TaskSpec.single("t", Resources.NONE));
        List<Event> events = cluster.events();

        assertThatThrownBy(() -> tallies.count(events.get(1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("not submitted");
    }
}
