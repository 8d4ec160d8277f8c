package dev.sluice.simulator.workload.jobs;

import dev.sluice.config.situation.Submission;
import dev.sluice.simulator.workload.Arrival;
import dev.sluice.simulator.workload.ArrivalStream;
import dev.sluice.simulator.workload.BrokenLines;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Submissions as they come: of each that is still to come, the next one waits in a heap. */
final class SubmissionStream implements ArrivalStream {

    /** The submission at this position in the file, for the time of this index. */
    private record Due(Instant at, int position, int index) {}

    private static final Comparator<Due> ORDER =
            Comparator.comparing(Due::at).thenComparingInt(Due::position).thenComparingInt(Due::index);

    private final List<Submission> submissions;
    private final PriorityQueue<Due> due = new PriorityQueue<>(ORDER);

    SubmissionStream(List<Submission> submissions) {
        this.submissions = submissions;
        for (int i = 0; i < submissions.size(); i++) {
            due.add(new Due(submissions.get(i).instant(0), i, 0));
        }
    }

    @Override
    public @Nullable Arrival next() {
        Due first = due.poll();
        if (first == null) {
            return null;
        }
        Submission submission = submissions.get(first.position);
        int next = first.index + 1;
        if (next < submission.size()) {
            due.add(new Due(submission.instant(next), first.position, next));
        }
        return new Arrival(
                first.at, submission.application().partition(), submission.spec(first.index), submission.durations());
    }

    @Override
    public BrokenLines broken() {
        return BrokenLines.NONE;
    }

    @Override
    public void close() {}
}
