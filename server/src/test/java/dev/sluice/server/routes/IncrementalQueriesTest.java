package dev.sluice.server.routes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.command.Refusal;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.explain.StepBudget;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Partition;
import dev.sluice.runtime.host.IncrementalQuery;
import dev.sluice.runtime.host.RunObstacles;
import dev.sluice.server.TestTransactionContext;
import dev.sluice.server.api.ApplicationPage;
import dev.sluice.server.api.ApplicationView;
import dev.sluice.server.api.NodeView;
import dev.sluice.server.api.TaskView;
import dev.sluice.server.view.QueueViews;
import dev.sluice.server.view.Views;
import dev.sluice.server.yunikorn.YuniKornApplication;
import dev.sluice.server.yunikorn.YuniKornViews;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Incremental queries: their answers, and changes between steps. */
final class IncrementalQueriesTest {

    private static final String PARTITION = PartitionConfiguration.DEFAULT_NAME;
    private static final int APPLICATIONS = 60;
    private static final int NODES = 25;
    private static final ApplicationFilter ALL = ApplicationFilter.of(null, null, null, null);

    private final TestTransactionContext context = new TestTransactionContext();
    private int submitted;
    private int registered;

    @BeforeEach
    void fill() {
        handle(new Command.ApplyConfiguration(List.of(PartitionConfiguration.simplest())));
        for (int i = 0; i < NODES; i++) {
            register();
        }
        List<TaskSpec> groups = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            groups.add(TaskSpec.of("t" + i, 1 + i % 4, Resources.parse("vcore", i % 3 == 0 ? "1" : i + "00")));
        }
        handle(new Command.SubmitApplication(
                PARTITION, ApplicationSpec.open("large", "root.default", groups.toArray(new TaskSpec[0]))));
        for (int i = 0; i < APPLICATIONS; i++) {
            submit("a" + i);
        }
        context.cycle(PARTITION);
    }

    private void handle(Command command) {
        Refusal refusal = context.handle(command).refusal();
        assertThat(refusal).isNull();
    }

    private void submit(String id) {
        submitted++;
        handle(new Command.SubmitApplication(
                PARTITION,
                ApplicationSpec.open(id, "root.default", TaskSpec.of("t", 2, Resources.parse("vcore", "3")))
                        .withUser("u" + submitted % 3)));
    }

    private void register() {
        handle(new Command.RegisterNode(PARTITION, "n" + registered++, Resources.parse("vcore", "2"), new TreeMap<>()));
    }

    private Partition partition() {
        return Objects.requireNonNull(context.state().partition(PARTITION));
    }

    private Map<String, Supplier<IncrementalQuery<?>>> questions() {
        PathCall large = new PathCall(Map.of("partition", PARTITION, "application", "large", "task", "t1-0"));
        Map<String, Supplier<IncrementalQuery<?>>> questions = new LinkedHashMap<>();
        questions.put("applications", () -> new ApplicationListQuery(PARTITION, ALL, null, 1000));
        questions.put("first applications", () -> new ApplicationListQuery(PARTITION, ALL, null, 7));
        questions.put(
                "applications of a queue",
                () -> new ApplicationListQuery(
                        PARTITION, ApplicationFilter.of("root.default", null, "active", null), "a3", 1000));
        questions.put(
                "newest applications of a queue",
                () -> new SortedApplicationsQuery(
                        PARTITION,
                        ApplicationFilter.of("root.default", null, "active", null),
                        ApplicationSort.NEWEST,
                        7));
        questions.put(
                "applications of a user",
                () -> new ApplicationListQuery(PARTITION, ApplicationFilter.of("ROOT", "u1", "active", null), "a3", 5));
        questions.put("application", () -> new ApplicationQuery(PARTITION, "large"));
        questions.put(
                "tasks",
                () -> new TaskListQuery(PARTITION, "large", null, TaskCursor.of(null), 1000, run -> RunDetails.NONE));
        questions.put(
                "later tasks",
                () -> new TaskListQuery(
                        PARTITION, "large", null, TaskCursor.unfinished(11), 13, run -> RunDetails.NONE));
        questions.put(
                "nodes",
                () -> new NodeListQuery<>(
                        PARTITION,
                        node -> true,
                        (partition, node, budget) -> Views.node(partition, node, NodeView.AGENT)));
        questions.put("scan of applications", () -> {
            List<YuniKornApplication> found = new ArrayList<>();
            return new ApplicationScan<>(
                    PARTITION,
                    (partition, application, budget) -> {
                        found.add(YuniKornViews.application(partition, application, 10));
                        budget.takeUpTo(3);
                        return true;
                    },
                    partition -> found);
        });
        questions.put(
                "queues",
                () -> new QueueListQuery<>(
                        PARTITION,
                        (at, partition, queue) -> new QueueViews(at.scheduler(), partition, at.now()).of(queue)));
        questions.put("partitions", PartitionListQuery::new);
        questions.put("why of an application", () -> new WhyApplicationQuery(large, RunObstacles.NONE));
        questions.put("why of a task", () -> new WhyTaskQuery(large, RunObstacles.NONE));
        return questions;
    }

    private int pieces(IncrementalQuery<?> question, int looksMax, Runnable between) {
        for (int pieces = 1; ; pieces++) {
            StepBudget looks = new StepBudget(looksMax);
            boolean done = question.step(context, looks);
            assertThat(looks.taken()).isLessThanOrEqualTo(looksMax);
            if (done) {
                return pieces;
            }
            between.run();
        }
    }

    @Test
    void queries_inSteps_answerAsInOneStep() {
        questions().forEach((name, maker) -> {
            IncrementalQuery<?> whole = maker.get();
            assertThat(whole.step(context, StepBudget.unlimited())).isTrue();
            for (int looks : new int[] {StepBudget.MIN, 5, 16}) {
                IncrementalQuery<?> question = maker.get();
                int pieces = pieces(question, looks, () -> {});
                assertThat(question.answer())
                        .as("%s with %d scans", name, looks)
                        .isEqualTo(whole.answer());
                if (looks == StepBudget.MIN && !List.of("queues", "partitions").contains(name)) {
                    assertThat(pieces).as("steps of %s", name).isGreaterThan(1);
                }
            }
        });
    }

    @Test
    void queries_duringChanges_haveNoDuplicates() {
        Random random = new Random(3);
        for (int round = 0; round < 20; round++) {
            questions().forEach((name, maker) -> {
                IncrementalQuery<?> question = maker.get();
                int[] changes = {40};
                pieces(question, StepBudget.MIN, () -> {
                    if (changes[0]-- > 0) {
                        change(random);
                    }
                });
                List<String> ids = ids(question.answer());
                assertThat(ids).as(name).doesNotHaveDuplicates();
            });
        }
    }

    /**
     * Makes a random change: an application is forgotten, resubmitted or new, a node is added or removed, a task ends.
     */
    private void change(Random random) {
        List<String> ids = new ArrayList<>();
        for (Application application : partition().applications()) {
            if (!application.id().equals("large") && !application.id().equals("a3")) {
                ids.add(application.id());
            }
        }
        switch (random.nextInt(5)) {
            case 0 -> submit("b" + submitted);
            case 1 -> {
                String id = ids.get(random.nextInt(ids.size()));
                context.handle(new Command.CancelApplication(PARTITION, id, "over"));
                context.handle(new Command.ForgetApplication(PARTITION, id));
                if (random.nextBoolean() && partition().application(id) == null) {
                    submit(id);
                }
            }
            case 2 -> register();
            case 3 -> {
                if (partition().nodes().size() > 5) {
                    handle(new Command.RemoveNode(
                            PARTITION, partition().nodes().iterator().next().name()));
                }
            }
            default -> context.cycle(PARTITION);
        }
    }

    private static List<String> ids(Object answer) {
        if (answer instanceof ApplicationPage page) {
            return page.items().stream().map(ApplicationView::id).toList();
        }
        if (answer instanceof TaskQueryResult listing) {
            return listing.views().stream().map(TaskView::id).toList();
        }
        if (answer instanceof List<?> list && !list.isEmpty() && list.get(0) instanceof NodeView) {
            return list.stream().map(node -> ((NodeView) node).name()).toList();
        }
        return List.of();
    }

    @Test
    void application_changedBeforeAnswer_isAnsweredAsRead() {
        ApplicationQuery question = new ApplicationQuery(PARTITION, "large");
        assertThat(question.step(context, StepBudget.unlimited())).isTrue();
        ApplicationView before = question.answer().orElseThrow();
        context.handle(new Command.CancelApplication(PARTITION, "large", "over"));
        assertThat(question.answer()).contains(before);
    }

    /** Ended applications leave their queues, but are listed with them. */
    @Test
    void endedApplications_ofALeafQueue_areListed() {
        handle(new Command.CancelApplication(PARTITION, "a1", "over"));
        context.cycle(PARTITION);
        assertThat(partition().existing("a1").state().isEnded()).isTrue();
        for (@Nullable String state : Arrays.asList(null, "ended", "failed")) {
            ApplicationListQuery listing = new ApplicationListQuery(
                    PARTITION, ApplicationFilter.of("root.default", null, state, null), null, 1000);
            assertThat(listing.step(context, StepBudget.unlimited())).isTrue();
            assertThat(listing.answer().items()).extracting(ApplicationView::id).contains("a1");
        }
    }

    @Test
    void partition_replacedBetweenSteps_isNotFound() {
        ApplicationListQuery listing = new ApplicationListQuery(PARTITION, ALL, null, 1000);
        assertThat(listing.step(context, new StepBudget(StepBudget.MIN))).isFalse();
        TestTransactionContext other = new TestTransactionContext();
        Refusal refusal = other.handle(new Command.ApplyConfiguration(List.of(PartitionConfiguration.simplest())))
                .refusal();
        assertThat(refusal).isNull();
        assertThatThrownBy(() -> listing.step(other, new StepBudget(StepBudget.MIN)))
                .hasMessage("partition " + PARTITION + " not found");
    }

    @Test
    void cancellation_inSteps_cancelsEarlierMatches() {
        BulkCancellation cancelling = new BulkCancellation(
                PARTITION, ApplicationFilter.of(null, "u1", null, null), "over", (partition, application) -> true);
        long matching = partition().applications().stream()
                .filter(application -> application.spec().user().equals("u1"))
                .count();
        int[] late = {0};
        pieces(cancelling, StepBudget.MIN, () -> {
            context.setNow(context.now().plusSeconds(1));
            if (late[0] < 9) {
                submit("late" + late[0]++);
            }
        });
        assertThat(cancelling.answer().cancelled()).isEqualTo(matching);
        assertThat(cancelling.answer().complete()).isTrue();
        for (Application application : partition().applications()) {
            boolean cancelled = application.state().isEnded()
                    || application.state().wireName().equals("Failing");
            assertThat(cancelled)
                    .as(application.id())
                    .isEqualTo(application.spec().user().equals("u1")
                            && !application.id().startsWith("late"));
        }
        BulkCancellation again = new BulkCancellation(
                PARTITION, ApplicationFilter.of(null, "u1", null, null), "over", (partition, application) -> true);
        pieces(again, 1000, () -> {});
        assertThat(again.answer().cancelled()).as("late submissions").isEqualTo(3);
        BulkCancellation last = new BulkCancellation(
                PARTITION, ApplicationFilter.of(null, "u1", null, null), "over", (partition, application) -> true);
        pieces(last, 1000, () -> {});
        assertThat(last.answer().cancelled()).isZero();
    }
}
