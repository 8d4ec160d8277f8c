package dev.sluice.simulator.workload.swf;

import dev.sluice.config.field.DurationText;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.FailurePolicy;
import dev.sluice.core.application.StartConditions;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.simulator.workload.Arrival;
import dev.sluice.simulator.workload.ArrivalStream;
import dev.sluice.simulator.workload.MalformedLines;
import dev.sluice.simulator.workload.lines.LineReader;
import dev.sluice.simulator.workload.lines.LongSet;
import dev.sluice.simulator.workload.lines.MalformedLineCounter;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of a log.
 *
 * <table>
 * <caption>Mapping of the columns</caption>
 * <tr><td>1 job number</td><td>the id of the application</td></tr>
 * <tr><td>2 submit time</td><td>the submission time, relative to the start time in the header</td></tr>
 * <tr><td>4 run time</td><td>the run time of its task</td></tr>
 * <tr><td>8 requested processors, else 5 allocated processors</td><td>the cores of its task</td></tr>
 * <tr><td>9 requested time</td><td>the time limit of its task, at least the run time</td></tr>
 * <tr><td>12 user, 13 group</td><td>user and group, such as {@code user12}; the group is a tag too</td></tr>
 * <tr><td>14 executable</td><td>the tag {@code application}; with the user, the name of the application</td></tr>
 * <tr><td>15 queue, 16 partition</td><td>tags, by name if the header has one</td></tr>
 * </table>
 *
 * <p>The other columns are ignored. Requested times are no expected durations: users overestimate by far. Jobs without
 * a run time or processors are skipped, as well as jobs that were cancelled before they started, and further lines of
 * the same job, which are partial executions or errors.
 */
final class SwfArrivals implements ArrivalStream {

    private static final long CANCELLED = 5;
    private static final long PART_FIRST = 2;
    private static final long PART_LAST = 4;
    private static final long SUBMITTED_MAX = Duration.ofDays(400_000).toSeconds();

    private final LineReader lines;
    private final SwfHeader header;
    private final MalformedLineCounter tally;
    private final SwfLine line = new SwfLine();
    private final LongSet seen = new LongSet();
    private final SwfInternCache shared;

    SwfArrivals(String file, LineReader lines, SwfHeader header) {
        this.lines = lines;
        this.header = header;
        this.tally = new MalformedLineCounter(file);
        this.shared = new SwfInternCache(header);
    }

    @Override
    public @Nullable Arrival next() throws IOException {
        while (lines.next()) {
            if (hasWork()) {
                tally.line();
                Arrival arrival = arrival();
                if (arrival != null) {
                    return arrival;
                }
            }
        }
        return null;
    }

    @Override
    public MalformedLines malformed() {
        return tally.malformedLines();
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }

    /** Whether the line is neither a comment nor blank. */
    private boolean hasWork() {
        byte[] bytes = lines.bytes();
        for (int i = lines.start(); i < lines.end(); i++) {
            if (!SwfLine.isBlank(bytes[i])) {
                return bytes[i] != ';';
            }
        }
        return lines.isTooLong();
    }

    private @Nullable Arrival arrival() {
        if (lines.isTooLong()) {
            return malformed(1, "line is longer than " + LineReader.LINE_BYTES_MAX + " bytes");
        }
        int columns = line.split(lines.bytes(), lines.start(), lines.end());
        if (columns != SwfLine.COLUMNS && !(header.wide() && columns > SwfLine.COLUMNS)) {
            return malformed(
                    1,
                    "line has " + (columns > SwfLine.COLUMNS ? "more than " + SwfLine.COLUMNS : columns)
                            + " columns instead of " + SwfLine.COLUMNS);
        }
        long job = line.whole(SwfLine.JOB);
        if (job < 0) {
            return unreadable(SwfLine.JOB, "job number");
        }
        long status = line.whole(SwfLine.STATUS);
        if (!seen.add(job)) {
            return malformed(
                    line.position(SwfLine.JOB),
                    status >= PART_FIRST && status <= PART_LAST
                            ? "partial execution of job " + job + ", which is already read"
                            : "duplicate job number " + job);
        }
        return arrival(job, status);
    }

    private @Nullable Arrival arrival(long job, long status) {
        long submitted = line.seconds(SwfLine.SUBMITTED);
        int submittedNanos = line.nanos(SwfLine.SUBMITTED);
        if (submitted < 0 || submitted > SUBMITTED_MAX) {
            return unreadable(SwfLine.SUBMITTED, "submit time");
        }
        long runTime = line.seconds(SwfLine.RUN_TIME);
        int runTimeNanos = line.nanos(SwfLine.RUN_TIME);
        if (status == CANCELLED && (runTime == 0 || runTime == SwfLine.MISSING) && runTimeNanos == 0) {
            return malformed(line.position(SwfLine.STATUS), "job " + job + " was cancelled before it started");
        }
        if (runTime < 0 || runTime > DurationText.DURATION_MAX.toSeconds()) {
            return unreadable(SwfLine.RUN_TIME, "run time");
        }
        long requested = line.whole(SwfLine.PROCESSORS_REQUESTED);
        int column =
                requested > 0 || requested == SwfLine.UNREADABLE ? SwfLine.PROCESSORS_REQUESTED : SwfLine.PROCESSORS;
        long processors = column == SwfLine.PROCESSORS ? line.whole(SwfLine.PROCESSORS) : requested;
        if (processors <= 0 || processors > SwfHeaderReader.PROCESSORS_MAX) {
            return processors == 0 || processors == SwfLine.MISSING
                    ? malformed(
                            line.position(column), "job " + job + " has no processors, neither requested nor allocated")
                    : unreadable(column, "number of processors");
        }
        long user = line.whole(SwfLine.USER);
        long group = line.whole(SwfLine.GROUP);
        long executable = line.whole(SwfLine.APPLICATION);
        long queue = line.whole(SwfLine.QUEUE);
        long partition = line.whole(SwfLine.PARTITION);
        if (user < SwfLine.MISSING) {
            return unreadable(SwfLine.USER, "user");
        }
        if (group < SwfLine.MISSING) {
            return unreadable(SwfLine.GROUP, "group");
        }
        if (executable < SwfLine.MISSING) {
            return unreadable(SwfLine.APPLICATION, "executable");
        }
        if (queue < SwfLine.MISSING) {
            return unreadable(SwfLine.QUEUE, "queue");
        }
        if (partition < SwfLine.MISSING) {
            return unreadable(SwfLine.PARTITION, "partition");
        }
        String id = Long.toString(job);
        ApplicationSpec application = new ApplicationSpec(
                id,
                shared.name(user, executable),
                null,
                shared.user(user),
                shared.groups(group),
                shared.tags(group, executable, queue, partition),
                null,
                null,
                true,
                FailurePolicy.CONTINUE,
                StartConditions.NONE,
                shared.tasks(processors, limit(runTime, runTimeNanos)));
        Instant at = header.start().plusSeconds(submitted).plusNanos(submittedNanos);
        return new Arrival(
                at,
                PartitionConfiguration.DEFAULT_NAME,
                application,
                List.of(Duration.ofSeconds(runTime, runTimeNanos)));
    }

    /**
     * Returns the requested time, or the run time if that is longer: the log shows that the job was not stopped. Null
     * if no time was requested.
     */
    private @Nullable Duration limit(long runTime, int runTimeNanos) {
        long requested = line.whole(SwfLine.TIME_REQUESTED);
        if (requested <= 0 || requested > DurationText.DURATION_MAX.toSeconds()) {
            return null;
        }
        Duration ran = Duration.ofSeconds(runTime, runTimeNanos);
        Duration limit = Duration.ofSeconds(requested);
        return limit.compareTo(ran) < 0 ? ran : limit;
    }

    private @Nullable Arrival unreadable(int column, String what) {
        String text = line.text(column);
        return malformed(
                line.position(column),
                text.equals("-1")
                        ? "missing " + what + ": column " + column + " is -1"
                        : "\"" + text + "\" in column " + column + " is not a valid " + what);
    }

    private @Nullable Arrival malformed(int position, String reason) {
        tally.malformed(lines.number(), position, reason);
        return null;
    }
}
