package dev.sluice.cli.simulate;

import dev.sluice.cli.terminal.LiveLines;
import dev.sluice.cli.terminal.Style;
import dev.sluice.simulator.simulation.ExperimentListener;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Progress of simulations. On a terminal a line for each running simulation shows simulated time, events per second and
 * remaining time; elsewhere lines are printed at intervals and when a simulation ends.
 */
public final class SimulationProgress implements ExperimentListener, AutoCloseable {

    private static final long REDRAW_NANOS = 200_000_000L;
    private static final long UPDATE_NANOS = 10_000_000_000L;

    /** Minimum duration for which an event rate is meaningful. */
    private static final long RATED_NANOS = 10_000_000L;

    private static final int BAR_WIDTH = 20;
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final PrintWriter out;
    private final @Nullable LiveLines lines;
    private final Style style;
    private final long applications;
    private final LongSupplier nanos;
    private final List<SimulationRow> all = new ArrayList<>();
    private int nameWidth;
    private long drawnAt;

    private static final class SimulationRow {
        private final String name;
        private long beganAt;
        private boolean began;
        private boolean over;
        private @Nullable Instant now;
        private long events;
        private long ended;
        private long tookNanos;

        private SimulationRow(String name) {
            this.name = name;
        }
    }

    /**
     * @param lines live lines of a terminal, or null to append lines
     * @param applications number of applications of each simulation
     * @param nanos monotonic clock in nanoseconds
     */
    public SimulationProgress(
            PrintWriter out, @Nullable LiveLines lines, Style style, long applications, LongSupplier nanos) {
        this.out = out;
        this.lines = lines;
        this.style = style;
        this.applications = Math.max(1, applications);
        this.nanos = nanos;
        this.drawnAt = nanos.getAsLong();
    }

    @Override
    public synchronized void planned(int number, String name) {
        all.add(number, new SimulationRow(name));
        nameWidth = Math.max(nameWidth, name.length());
    }

    @Override
    public synchronized void advanced(int number, Instant now, long events, long applicationsEnded) {
        SimulationRow one = all.get(number);
        long at = nanos.getAsLong();
        if (!one.began) {
            one.began = true;
            one.beganAt = at;
        }
        one.now = now;
        one.events = events;
        one.ended = applicationsEnded;
        one.tookNanos = at - one.beganAt;
        if (lines != null && at - drawnAt >= REDRAW_NANOS) {
            drawnAt = at;
            lines.show(render());
        } else if (lines == null && at - drawnAt >= UPDATE_NANOS) {
            drawnAt = at;
            render().forEach(out::println);
            out.flush();
        }
    }

    @Override
    public synchronized void ended(int number) {
        SimulationRow one = all.get(number);
        one.over = true;
        String line = style.good(padded(one.name)) + "  "
                + String.format(
                        Locale.ROOT,
                        "%,d events in %s%s",
                        one.events,
                        seconds(one.tookNanos),
                        one.tookNanos < RATED_NANOS ? "" : ", " + perSecond(one.events, one.tookNanos));
        if (lines != null) {
            lines.printAbove(List.of(line));
            lines.show(render());
        } else {
            out.println(line);
            out.flush();
        }
    }

    private List<String> render() {
        List<String> output = new ArrayList<>();
        for (SimulationRow one : all) {
            if (one.began && !one.over) {
                output.add(line(one));
            }
        }
        return output;
    }

    private String line(SimulationRow one) {
        double part = Math.min(1, (double) one.ended / applications);
        int filled = (int) (part * BAR_WIDTH);
        String left = part < 0.01 ? "" : ", " + seconds((long) (one.tookNanos * (1 - part) / part)) + " left";
        return padded(one.name) + "  " + style.strong("━".repeat(filled)) + style.faint("─".repeat(BAR_WIDTH - filled))
                + String.format(Locale.ROOT, " %3.0f %%  ", part * 100)
                + (one.now == null ? "" : TIME.format(one.now) + "  ") + perSecond(one.events, one.tookNanos) + left;
    }

    private String padded(String name) {
        return name + " ".repeat(nameWidth - name.length());
    }

    private static String perSecond(long events, long tookNanos) {
        return String.format(Locale.ROOT, "%,d events/s", Math.round(events / Math.max(tookNanos / 1e9, 1e-3)));
    }

    private static String seconds(long tookNanos) {
        return Spans.text(Duration.ofNanos(tookNanos).toMillis() / 1000.0);
    }

    @Override
    public synchronized void close() {
        if (lines != null) {
            lines.close();
        }
    }
}
