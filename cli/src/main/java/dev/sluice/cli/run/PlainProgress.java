package dev.sluice.cli.run;

import dev.sluice.cli.terminal.Style;
import dev.sluice.cli.terminal.TextWidth;
import dev.sluice.core.application.ApplicationState;
import java.io.PrintWriter;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** A line per event that matters, with the time: what begins, ends and fails; every task only where that is asked for. */
public final class PlainProgress implements ProgressView {

    /** So many failures of one application are shown one by one. */
    private static final int FAILURES_MAX = 10;

    /** So many changes of the loans of one class are shown. */
    private static final int LOANS_MAX = 10;

    private final Consumer<String> lines;
    private final Style style;
    private final boolean everyTask;
    private final Map<String, Integer> failures = new HashMap<>();
    private final Map<String, Integer> loans = new HashMap<>();

    /** Lines go there; {@code everyTask}: also about tasks that start or end well. */
    PlainProgress(Consumer<String> lines, Style style, boolean everyTask) {
        this.lines = lines;
        this.style = style;
        this.everyTask = everyTask;
    }

    /** Lines go to this writer. */
    public static PlainProgress to(PrintWriter out, Style style, boolean everyTask) {
        return new PlainProgress(
                line -> {
                    out.println(line);
                    out.flush();
                },
                style,
                everyTask);
    }

    @Override
    public void applicationChanged(ApplicationProgress application, ApplicationState state, String reason) {
        String because = reason.isEmpty() ? "" : ": " + reason;
        switch (state) {
            case STARTING ->
                say(
                        application.id(),
                        "starts in " + application.queue() + ", "
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
            say(application.id(), "task " + task + " starts on " + node);
        }
    }

    @Override
    public void taskEnded(ApplicationProgress application, String task, String how, boolean bad) {
        if (everyTask) {
            say(application.id(), "task " + task + " " + (bad ? style.bad(how) : how));
        } else if (bad) {
            int count = failures.merge(application.id(), 1, Integer::sum);
            if (count <= FAILURES_MAX) {
                say(application.id(), "task " + task + " " + style.bad(how));
            } else if (count == FAILURES_MAX + 1) {
                say(application.id(), "more tasks fail; --verbose shows all of them");
            }
        }
    }

    @Override
    public void loadClassChanged(LoadClassProgress loadClass, LoadClassChange change) {
        switch (change) {
            case COUNTS -> {}
            case BORROWS ->
                printLoans(
                        loadClass,
                        "borrows " + loadClass.loaned() + (loadClass.loaned() == 1 ? " worker: " : " workers: ")
                                + loadClass.running() + " run, entitled to " + loadClass.entitlement());
            case GAVE_BACK ->
                printLoans(
                        loadClass,
                        "has given back what it had borrowed: " + loadClass.running() + " run, entitled to "
                                + loadClass.entitlement());
            case MAKES_WAY ->
                printLoans(
                        loadClass,
                        style.warning("makes way") + " for classes that are entitled to its workers: "
                                + loadClass.preempted() + (loadClass.preempted() == 1 ? " task" : " tasks")
                                + " stopped so far");
        }
    }

    private void printLoans(LoadClassProgress loadClass, String what) {
        int count = loans.merge(loadClass.partition() + ":" + loadClass.path(), 1, Integer::sum);
        if (everyTask || count <= LOANS_MAX) {
            say(loadClass.path(), what);
        } else if (count == LOANS_MAX + 1) {
            say(loadClass.path(), "goes on to borrow and give back; --verbose shows all of it");
        }
    }

    @Override
    public void interrupted() {
        lines.accept(style.warning("Interrupted: stopping everything …"));
    }

    @Override
    public void close() {}

    private void say(String application, String what) {
        String time = LocalTime.now(ZoneId.systemDefault())
                .truncatedTo(ChronoUnit.SECONDS)
                .format(DateTimeFormatter.ISO_TIME);
        lines.accept(style.faint(time) + "  " + style.strong(TextWidth.printable(application)) + "  " + what);
    }
}
