package dev.sluice.server.routes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.explain.StepBudget;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Application;
import dev.sluice.core.testing.TaskRefs;
import dev.sluice.server.TestTransactionContext;
import dev.sluice.server.api.TaskView;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Pages of the tasks of a very large application. */
final class TaskQueryResultTest {

    private static final String PARTITION = PartitionConfiguration.DEFAULT_NAME;

    private final TestTransactionContext context = new TestTransactionContext();

    private void handle(Command command) {
        assertThat(context.handle(command).refusal()).isNull();
    }

    private TaskQueryResult page(Application application, @Nullable TaskState wanted, TaskCursor cursor, int limit) {
        TaskListQuery question =
                new TaskListQuery(PARTITION, application.id(), wanted, cursor, limit, run -> RunDetails.NONE);
        assertThat(question.step(context, StepBudget.unlimited())).isTrue();
        return question.answer();
    }

    /** Returns an application of two task groups with as many allocated tasks as there are slots. */
    private Application application(int first, int second, int slots) {
        handle(new Command.ApplyConfiguration(List.of(PartitionConfiguration.simplest())));
        handle(new Command.SubmitApplication(
                PARTITION,
                ApplicationSpec.open(
                        "a",
                        "root.default",
                        TaskSpec.of("t", first, Resources.parse("vcore", "0")),
                        TaskSpec.of("u", second, Resources.parse("vcore", "0")))));
        handle(new Command.RegisterNode(PARTITION, "n", Resources.of("slots", slots), new TreeMap<>()));
        context.cycle(PARTITION);
        return Objects.requireNonNull(
                Objects.requireNonNull(context.state().partition(PARTITION)).application("a"));
    }

    /** Returns the task ids of all pages. */
    private List<String> pages(Application application, @Nullable TaskState wanted, int limit) {
        List<String> seen = new ArrayList<>();
        for (TaskCursor next = TaskCursor.of(null); next != null; ) {
            TaskQueryResult page = page(application, wanted, next, limit);
            seen.addAll(ids(page));
            next = page.next();
        }
        return seen;
    }

    private static List<String> ids(TaskQueryResult page) {
        return page.views().stream().map(TaskView::id).toList();
    }

    @Test
    void page_withFewMatches_endsAfterScanLimitWithCursor() {
        Application application = application(2 * TaskListQuery.TASKS_MAX, 1, 0);

        TaskQueryResult first = page(application, TaskState.RUNNING, TaskCursor.of(null), 10);
        assertThat(first.views()).isEmpty();
        assertThat(first.next()).isEqualTo(TaskCursor.unfinished(TaskListQuery.TASKS_MAX));

        TaskQueryResult second = page(application, TaskState.RUNNING, Objects.requireNonNull(first.next()), 10);
        assertThat(second.next()).isEqualTo(TaskCursor.unfinished(2L * TaskListQuery.TASKS_MAX));

        TaskQueryResult last = page(application, TaskState.PENDING, Objects.requireNonNull(second.next()), 10);
        assertThat(ids(last)).containsExactly("u-0");
        assertThat(last.next()).isNull();
    }

    @Test
    void scanLimit_includesAllocatedTasks() {
        Application application = application(TaskListQuery.TASKS_MAX + 1, 1, TaskListQuery.TASKS_MAX + 1);

        TaskQueryResult first = page(application, TaskState.PENDING, TaskCursor.of(null), 10);
        assertThat(first.next()).isEqualTo(TaskCursor.unfinished(TaskListQuery.TASKS_MAX));
        assertThat(ids(page(application, TaskState.PENDING, Objects.requireNonNull(first.next()), 10)))
                .containsExactly("u-0");
    }

    @Test
    void tasks_someEnded_areListedOnceAcrossPages() {
        Application application = application(300, 200, 80);
        for (int index = 0; index < 80; index += 2) {
            handle(new Command.ReportTaskSucceeded(TaskRefs.run(PARTITION, "a", "t-" + index, 1)));
        }
        for (int index = 100; index < 260; index += 3) {
            handle(new Command.StopTask(TaskRefs.task(PARTITION, "a", "t-" + index)));
        }
        List<String> alive = new ArrayList<>();
        for (int index = 1; index < 80; index += 2) {
            alive.add("t-" + index);
        }
        for (int index = 80; index < 300; index++) {
            if (index < 100 || index >= 260 || (index - 100) % 3 != 0) {
                alive.add("t-" + index);
            }
        }
        for (int index = 0; index < 200; index++) {
            alive.add("u-" + index);
        }
        for (int limit : new int[] {1, 7, 64, 1000}) {
            assertThat(pages(application, null, limit)).as("limit %d", limit).isEqualTo(alive);
        }
        assertThat(pages(application, TaskState.PENDING, 10)).isEqualTo(alive.subList(40, alive.size()));
    }
}
