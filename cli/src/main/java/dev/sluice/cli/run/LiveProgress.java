package dev.sluice.cli.run;

import dev.sluice.cli.terminal.LiveLines;
import dev.sluice.cli.terminal.Style;
import dev.sluice.cli.terminal.TextWidth;
import dev.sluice.core.application.ApplicationState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Progress on a terminal: a line per load class and a bar per running application at the bottom; failures and ended
 * applications scroll above.
 */
public final class LiveProgress implements ProgressView {

    private static final long REDRAW_MILLIS = 100;

    /** Maximum number of live lines. */
    private static final int LINES_MAX = 12;

    /** Maximum number of live lines for load classes. */
    private static final int CLASS_LINES_MAX = 8;

    private static final int NAME_WIDTH_MAX = 30;
    private static final int BAR_WIDTH_MAX = 30;
    private static final int BAR_WIDTH_MIN = 5;

    private final LiveLines lines;
    private final Style style;
    private final PlainProgress above;
    private final List<String> pending = new ArrayList<>();
    private final Map<String, ApplicationProgress> open = new LinkedHashMap<>();
    private final Map<String, LoadClassProgress> classes = new LinkedHashMap<>();
    private final long tasks;
    private final int applications;
    private final ScheduledExecutorService redraw = Executors.newSingleThreadScheduledExecutor(step -> {
        Thread thread = new Thread(step, "progress");
        thread.setDaemon(true);
        return thread;
    });
    private long endedElsewhere;
    private int closedApplications;
    private final boolean everyTask;
    private boolean stopping;
    private @Nullable RunEstimate estimate;

    /**
     * Creates a view.
     *
     * @param everyTask whether to print the start and end of every task
     * @param failureLines maximum number of log lines printed for a task that failed after all retries
     */
    public LiveProgress(
            LiveLines lines, Style style, boolean everyTask, int failureLines, int applications, long tasks) {
        this.lines = lines;
        this.style = style;
        this.applications = applications;
        this.tasks = tasks;
        this.everyTask = everyTask;
        this.above = new PlainProgress(this::keep, style, everyTask, failureLines);
        var unused = redraw.scheduleWithFixedDelay(this::draw, REDRAW_MILLIS, REDRAW_MILLIS, TimeUnit.MILLISECONDS);
    }

    private synchronized void keep(String line) {
        pending.add(line);
    }

    @Override
    public synchronized void applicationChanged(
            ApplicationProgress application, ApplicationState state, String reason) {
        if (state.isEnded()) {
            open.remove(application.id());
            closedApplications++;
            endedElsewhere += application.ended();
            above.applicationChanged(application, state, reason);
        } else {
            open.put(application.id(), application);
        }
    }

    @Override
    public synchronized void taskStarted(ApplicationProgress application, String task, String node) {
        open.replace(application.id(), application);
        above.taskStarted(application, task, node);
    }

    @Override
    public synchronized void taskEnded(ApplicationProgress application, TaskEnd end) {
        open.replace(application.id(), application);
        above.taskEnded(application, end);
    }

    @Override
    public synchronized void taskPreempted(ApplicationProgress application, String task, String how) {
        above.taskPreempted(application, task, how);
    }

    @Override
    public synchronized void estimated(RunEstimate newest) {
        estimate = newest;
    }

    @Override
    public synchronized void loadClassChanged(LoadClassProgress loadClass, LoadClassChange change) {
        classes.put(loadClass.partition() + ":" + loadClass.path(), loadClass);
        // the class lines show loans; only preemptions scroll above, and everything with --verbose
        if (everyTask || change == LoadClassChange.PREEMPTED) {
            above.loadClassChanged(loadClass, change);
        }
    }

    @Override
    public synchronized void setRestoring(boolean restoring) {
        above.setRestoring(restoring);
    }

    @Override
    public synchronized void interrupted() {
        stopping = true;
        above.interrupted();
    }

    private void draw() {
        List<String> kept;
        List<String> shown;
        int columns = lines.columns();
        int room = Math.max(1, Math.min(LINES_MAX, lines.rows() - 3));
        synchronized (this) {
            kept = List.copyOf(pending);
            pending.clear();
            shown = render(columns, room);
        }
        if (!kept.isEmpty()) {
            lines.printAbove(kept);
        }
        lines.show(shown);
    }

    private List<String> render(int columns, int room) {
        List<ApplicationProgress> running = new ArrayList<>();
        long ended = endedElsewhere;
        for (ApplicationProgress application : open.values()) {
            ended += application.ended();
            if (application.running() > 0 || application.ended() > 0) {
                running.add(application);
            }
        }
        int nameWidth = running.stream()
                .mapToInt(application -> TextWidth.of(application.id()))
                .max()
                .orElse(0);
        nameWidth = Math.min(nameWidth, Math.min(NAME_WIDTH_MAX, Math.max(8, columns / 3)));
        List<String> output = classLines(columns, Math.min(CLASS_LINES_MAX, room - 1));
        int left = room - output.size();
        int shown = running.size() <= left ? running.size() : left - 1;
        for (ApplicationProgress application : running.subList(0, Math.max(0, shown))) {
            output.add(line(application, nameWidth, columns));
        }
        if (shown < running.size()) {
            output.add(style.faint("… and " + (running.size() - shown) + " more running"));
        }
        int waiting = applications - closedApplications - running.size();
        String summary = String.format(
                Locale.ROOT,
                "%s%,d of %,d tasks · %,d running, %,d waiting, %,d ended",
                stopping ? "stopping · " : "",
                ended,
                tasks,
                running.size(),
                Math.max(0, waiting),
                closedApplications);
        String remaining = estimate == null || stopping ? "" : estimate.left(Instant.now());
        output.add(style.faint(summary + (remaining.isEmpty() ? "" : " · " + remaining)));
        return output;
    }

    /** Returns lines such as {@code root.land running 3 of 2, 1 on loan}. */
    private List<String> classLines(int columns, int room) {
        int nameWidth = classes.values().stream()
                .mapToInt(each -> TextWidth.of(TextWidth.printable(each.path())))
                .max()
                .orElse(0);
        nameWidth = Math.min(nameWidth, Math.min(NAME_WIDTH_MAX, Math.max(8, columns / 3)));
        List<String> output = new ArrayList<>();
        int shown = classes.size() <= room ? classes.size() : Math.max(0, room - 1);
        for (LoadClassProgress each : classes.values().stream().limit(shown).toList()) {
            String name = TextWidth.padded(TextWidth.shortened(TextWidth.printable(each.path()), nameWidth), nameWidth);
            String loan = each.loaned() == 0 ? "" : ", " + each.loaned() + " on loan";
            output.add(style.strong(name) + "  running " + each.running() + " of " + each.entitlement()
                    + style.warning(loan));
        }
        if (shown < classes.size() && room > 0) {
            output.add(style.faint("… and " + (classes.size() - shown) + " more classes"));
        }
        return output;
    }

    private String line(ApplicationProgress application, int nameWidth, int columns) {
        String name =
                TextWidth.padded(TextWidth.shortened(TextWidth.printable(application.id()), nameWidth), nameWidth);
        String count = application.ended() + "/" + application.tasks();
        String running = application.running() == 0 ? "" : ", " + application.running() + " running";
        String failed = application.failed() == 0 ? "" : ", " + application.failed() + " failed";
        Instant since = application.firstStarted();
        String time = since == null ? "" : "  " + RunDurations.text(Duration.between(since, Instant.now()));
        int left = columns - 1 - nameWidth - 2 - 2 - TextWidth.of(count + running + failed + time);
        int barWidth = Math.min(BAR_WIDTH_MAX, left);
        String bar = barWidth < BAR_WIDTH_MIN ? "" : bar(application, barWidth) + "  ";
        return style.strong(name) + "  " + bar + count + running + style.bad(failed) + style.faint(time);
    }

    private String bar(ApplicationProgress application, int width) {
        long tasks = Math.max(1, application.tasks());
        int failed = (int) ((application.failed() * width + tasks - 1) / tasks);
        int done = (int) (application.ended() * width / tasks) - failed;
        int running = (int) ((application.running() * width + tasks - 1) / tasks);
        int full = Math.max(0, done);
        int bad = Math.min(failed, width - full);
        int active = Math.min(running, width - full - bad);
        return style.good("█".repeat(full))
                + style.bad("█".repeat(bad))
                + style.good("▒".repeat(active))
                + style.faint("░".repeat(width - full - bad - active));
    }

    @Override
    public void close() {
        redraw.shutdown();
        try {
            if (!redraw.awaitTermination(1, TimeUnit.SECONDS)) {
                redraw.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        draw();
        lines.close();
    }
}
