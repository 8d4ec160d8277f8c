package dev.sluice.simulator.workload.jobs;

import dev.sluice.config.snapshot.WorkloadSubmission;
import dev.sluice.simulator.workload.Arrival;
import dev.sluice.simulator.workload.ArrivalStream;
import dev.sluice.simulator.workload.MalformedLines;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Merges the submissions of all applications by time; a heap holds the next one of each. */
final class SubmissionStream implements ArrivalStream {

    /** The submission at this position in the file, at the time with this index. */
    private record DueSubmission(Instant at, int position, int index) {}

    private static final Comparator<DueSubmission> ORDER = Comparator.comparing(DueSubmission::at)
            .thenComparingInt(DueSubmission::position)
            .thenComparingInt(DueSubmission::index);

    private final List<WorkloadSubmission> submissions;
    private final PriorityQueue<DueSubmission> due = new PriorityQueue<>(ORDER);

    SubmissionStream(List<WorkloadSubmission> submissions) {
        this.submissions = submissions;
        for (int i = 0; i < submissions.size(); i++) {
            due.add(new DueSubmission(submissions.get(i).instant(0), i, 0));
        }
    }

    @Override
    public @Nullable Arrival next() {
        DueSubmission first = due.poll();
        if (first == null) {
            return null;
        }
        WorkloadSubmission submission = submissions.get(first.position);
        int next = first.index + 1;
        if (next < submission.size()) {
            due.add(new DueSubmission(submission.instant(next), first.position, next));
        }
        return new Arrival(
                first.at, submission.application().partition(), submission.spec(first.index), submission.durations());
    }

    @Override
    public MalformedLines malformed() {
        return MalformedLines.NONE;
    }

    @Override
    public void close() {}
}
