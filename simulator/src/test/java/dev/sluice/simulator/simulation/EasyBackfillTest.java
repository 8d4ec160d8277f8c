package dev.sluice.simulator.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.simulator.simulation.SimulationScenario.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** One fifo queue on one machine with reservations at once starts jobs exactly when EASY does. */
class EasyBackfillTest {

    private static final int CORES = 16;
    private static final int JOBS = 120;

    private static final class Job {
        private final int submitted;
        private final int cores;
        private final int duration;
        private final int limit;
        private int started = -1;

        private Job(int submitted, int cores, int duration, int limit) {
            this.submitted = submitted;
            this.cores = cores;
            this.duration = duration;
            this.limit = limit;
        }

        private boolean runsAt(int time) {
            return started >= 0 && started + duration > time;
        }
    }

    private static List<Job> jobs(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Job> jobs = new ArrayList<>();
        int at = 0;
        for (int i = 0; i < JOBS; i++) {
            at += random.nextInt(12);
            int duration = 1 + random.nextInt(40);
            int cores = random.nextInt(4) == 0 ? 1 + random.nextInt(CORES) : 1 + random.nextInt(4);
            jobs.add(new Job(at, cores, duration, duration * (1 + random.nextInt(3))));
        }
        return jobs;
    }

    /** EASY as published: one reservation, for the first job of the queue, planned anew at every instant. */
    private static void easy(List<Job> jobs) {
        for (int now = 0; jobs.stream().anyMatch(job -> job.started < 0); now++) {
            int time = now;
            List<Job> running = new ArrayList<>(
                    jobs.stream().filter(job -> job.runsAt(time)).toList());
            List<Job> queue = new ArrayList<>(jobs.stream()
                    .filter(job -> job.started < 0 && job.submitted <= time)
                    .toList());
            int free = CORES - running.stream().mapToInt(job -> job.cores).sum();
            while (!queue.isEmpty() && queue.get(0).cores <= free) {
                free -= start(queue.remove(0), time, running);
            }
            if (queue.isEmpty()) {
                continue;
            }
            Job head = queue.remove(0);
            int available = free;
            int shadow = Integer.MAX_VALUE;
            running.sort(Comparator.comparingInt(job -> job.started + job.limit));
            for (Job job : running) {
                available += available < head.cores || job.started + job.limit == shadow ? job.cores : 0;
                shadow = available >= head.cores ? Math.min(shadow, job.started + job.limit) : shadow;
            }
            int extra = available - head.cores;
            for (Job job : queue) {
                boolean ends = time + job.limit <= shadow;
                if (job.cores <= free && (ends || job.cores <= extra)) {
                    extra -= ends ? 0 : job.cores;
                    free -= start(job, time, running);
                }
            }
        }
    }

    private static int start(Job job, int time, List<Job> running) {
        job.started = time;
        running.add(job);
        return job.cores;
    }

    private static Outcome simulate(List<Job> jobs, String properties) {
        SimulationScenario scenario = SimulationScenario.queues(
                        "queues: [{name: root, properties: {" + properties + "}, queues: [{name: default}]}]")
                .cores(CORES);
        for (int i = 0; i < jobs.size(); i++) {
            Job job = jobs.get(i);
            String id = "job" + i;
            scenario.submit(
                    job.submitted,
                    ApplicationSpec.sealed(
                                    id,
                                    "root.default",
                                    SimulationScenario.task("t", 1, job.cores)
                                            .withAttempts(0, Duration.ofSeconds(job.limit)))
                            .withUser(id),
                    job.duration);
        }
        return scenario.run();
    }

    @Test
    void oneQueue_reservationsAtOnce_startsAsEasy() {
        for (long seed = 0; seed < 8; seed++) {
            List<Job> jobs = jobs(seed);
            easy(jobs);
            Outcome outcome = simulate(jobs, "reservation.delay: 0s");
            for (int i = 0; i < JOBS; i++) {
                Job job = jobs.get(i);
                assertThat(outcome.user("job" + i).tasks().waiting().max())
                        .as("wait of job %s of seed %s", i, seed)
                        .isEqualTo(job.started - job.submitted);
            }
        }
    }

    @Test
    void oneQueue_withoutReservations_differsFromEasy() {
        List<Job> jobs = jobs(1);
        easy(jobs);
        double longest =
                jobs.stream().mapToInt(job -> job.started - job.submitted).max().orElseThrow();

        assertThat(simulate(jobs, "reservations.max: 0")
                        .figures()
                        .total()
                        .waiting()
                        .max())
                .isGreaterThan(longest);
    }
}
