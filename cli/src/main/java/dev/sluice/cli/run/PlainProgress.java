package dev.sluice.cli.run;

import dev.sluice.cli.terminal.Style;
import dev.sluice.cli.terminal.TextWidth;
import dev.sluice.core.application.ApplicationState;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Progress as timestamped lines: starts, ends and failures of applications; every task with {@code everyTask}. */
public final class PlainProgress implements ProgressView {

    /** Maximum number of loan changes shown per class. */
    private static final int LOANS_MAX = 10;

    private static final Duration ESTIMATE_INTERVAL = Duration.ofSeconds(30);

    private final Consumer<String> lines;
    private final Style style;
    private final boolean everyTask;
    private final int failureLines;
    private final Map<String, Integer> loans = new HashMap<>();
    private boolean isRestoring;
    private @Nullable Instant nextEstimate;

    /**
     * Creates a view.
     *
     * @param everyTask whether to print the start and success of every task
     * @param failureLines maximum number of log lines printed for a task that failed after all retries
     */
    PlainProgress(Consumer<String> lines, Style style, boolean everyTask, int failureLines) {
        this.lines = lines;
        this.style = style;
        this.everyTask = everyTask;
        this.failureLines = failureLines;
    }

    /** Returns a view that prints to a writer. */
    public static PlainProgress to(PrintWriter out, Style style, boolean everyTask, int failureLines) {
        return new PlainProgress(
                line -> {
                    out.println(line);
                    out.flush();
                },
                style,
                everyTask,
                failureLines);
    }

    @Override
    public void applicationChanged(ApplicationProgress application, ApplicationState state, String reason) {
        String because = reason.isEmpty() ? "" : ": " + reason;
        switch (state) {
            case STARTING ->
                say(
                        application.id(),
                        "started in " + application.queue() + ", "
                                + (application.tasks() == 1
                                        ? "1 task"
                                        : String.format(Locale.ROOT, "%,d tasks", application.tasks())));
            case COMPLETED ->
                say(
                        application.id(),
                        style.good("completed") + ", " + application.succeeded() + " of " + application.tasks()
                                + " tasks in " + RunDurations.between(application.firstStarted(), application.now()));
            case FAILED ->
                say(
                        application.id(),
                        style.bad("failed") + because + "; " + application.succeeded() + " of " + application.tasks()
                                + " tasks succeeded");
            case REJECTED -> say(application.id(), style.bad("rejected") + because);
            case NEW, ACCEPTED, RUNNING, COMPLETING, FAILING, EXPIRED, RESUMING -> {
                if (everyTask) {
                    say(application.id(), state.wireName().toLowerCase(Locale.ROOT) + because);
                }
            }
        }
    }

    @Override
    public void taskStarted(ApplicationProgress application, String task, String node) {
        if (everyTask) {
            say(application.id(), "task " + task + " started on " + node);
        }
    }

    @Override
    public void taskEnded(ApplicationProgress application, TaskEnd end) {
        if (everyTask || end.bad()) {
            say(application.id(), "task " + end.task() + " " + (end.bad() ? style.bad(end.how()) : end.how()));
        }
        if (end.bad() && !end.again() && !isRestoring) {
            LogTail.of(end.log(), failureLines, style).forEach(lines);
        }
    }

    @Override
    public void taskPreempted(ApplicationProgress application, String task, String how) {
        say(application.id(), "task " + task + " " + style.warning(how));
    }

    @Override
    public void estimated(RunEstimate estimate) {
        if (nextEstimate != null && !estimate.at().isBefore(nextEstimate)) {
            String left = estimate.left(estimate.at());
            printTimed(String.format(Locale.ROOT, "%,d of %,d tasks ended", estimate.ended(), estimate.tasks())
                    + (left.isEmpty() ? "" : ", " + left));
        }
        if (nextEstimate == null || !estimate.at().isBefore(nextEstimate)) {
            nextEstimate = estimate.at().plus(ESTIMATE_INTERVAL);
        }
    }

    @Override
    public void loadClassChanged(LoadClassProgress loadClass, LoadClassChange change) {
        switch (change) {
            case COUNTED -> {}
            case BORROWS ->
                printLoans(
                        loadClass,
                        "borrows " + loadClass.loaned() + (loadClass.loaned() == 1 ? " worker: " : " workers: ")
                                + loadClass.running() + " running, entitled to " + loadClass.entitlement());
            case RETURNED ->
                printLoans(
                        loadClass,
                        "returned its loans: " + loadClass.running() + " running, entitled to "
                                + loadClass.entitlement());
            case PREEMPTED ->
                printLoans(
                        loadClass,
                        style.warning("preempted") + " by entitled classes: "
                                + loadClass.preempted() + (loadClass.preempted() == 1 ? " task" : " tasks")
                                + " stopped so far");
        }
    }

    private void printLoans(LoadClassProgress loadClass, String what) {
        int count = loans.merge(loadClass.partition() + ":" + loadClass.path(), 1, Integer::sum);
        if (everyTask || count <= LOANS_MAX) {
            say(loadClass.path(), what);
        } else if (count == LOANS_MAX + 1) {
            say(loadClass.path(), "more loans (--verbose shows all)");
        }
    }

    @Override
    public void setRestoring(boolean restoring) {
        isRestoring = restoring;
        loans.clear();
        nextEstimate = null;
    }

    @Override
    public void interrupted() {
        lines.accept(style.warning("Interrupted: stopping all tasks …"));
    }

    @Override
    public void close() {}

    private void say(String application, String what) {
        printTimed(style.strong(TextWidth.printable(application)) + "  " + what);
    }

    private void printTimed(String what) {
        if (isRestoring) {
            return;
        }
        String time = LocalTime.now(ZoneId.systemDefault())
                .truncatedTo(ChronoUnit.SECONDS)
                .format(DateTimeFormatter.ISO_TIME);
        lines.accept(style.faint(time) + "  " + what);
    }
}
