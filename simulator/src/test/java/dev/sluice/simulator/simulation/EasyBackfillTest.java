package dev.sluice.simulator.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.simulator.simulation.SimulationScenario.Outcome;
import dev.sluice.simulator.workload.GangWorkload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * One fifo queue with reservations at once starts jobs exactly when EASY does, on one machine as single tasks and as
 * gangs. On several nodes gangs wait a little longer on average, because their reservations keep nodes.
 */
class EasyBackfillTest {

    private static final int CORES = 16;
    private static final int JOBS = 120;
    private static final int SEEDS = 8;

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
        return scenario(jobs, properties).cores(CORES).run();
    }

    private static SimulationScenario scenario(List<Job> jobs, String properties) {
        SimulationScenario scenario = SimulationScenario.queues(
                "queues: [{name: root, properties: {" + properties + "}, queues: [{name: default}]}]");
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
        return scenario;
    }

    private static void assertStartsAreEqual(List<Job> jobs, Outcome outcome, long seed) {
        for (int i = 0; i < JOBS; i++) {
            Job job = jobs.get(i);
            assertThat(outcome.user("job" + i).tasks().waiting().max())
                    .as("wait of job %s of seed %s", i, seed)
                    .isEqualTo(job.started - job.submitted);
        }
    }

    @Test
    void oneQueue_reservationsAtOnce_startsAsEasy() {
        for (long seed = 0; seed < SEEDS; seed++) {
            List<Job> jobs = jobs(seed);
            easy(jobs);
            assertStartsAreEqual(jobs, simulate(jobs, "reservation.delay: 0s"), seed);
        }
    }

    @Test
    void oneQueue_gangsOnOneNode_startAsEasy() {
        for (long seed = 0; seed < SEEDS; seed++) {
            List<Job> jobs = jobs(seed);
            easy(jobs);
            Outcome outcome =
                    scenario(jobs, "reservation.delay: 0s").cores(CORES).run(GangWorkload::of);
            assertStartsAreEqual(jobs, outcome, seed);
        }
    }

    /** A reservation keeps its nodes, where EASY only counts processors, so fewer jobs may start before it. */
    @Test
    void oneQueue_gangsOnSeveralNodes_waitAboutAsLongAsEasy() {
        double easyWaits = 0;
        double waits = 0;
        double easyUtilisation = 0;
        double utilisation = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            List<Job> jobs = jobs(seed);
            easy(jobs);
            Outcome outcome =
                    scenario(jobs, "reservation.delay: 0s").cores(4, 4, 4, 4).run(GangWorkload::of);
            for (int i = 0; i < JOBS; i++) {
                easyWaits += jobs.get(i).started - jobs.get(i).submitted;
                waits += outcome.user("job" + i).tasks().waiting().max();
            }
            easyUtilisation += utilisation(jobs);
            utilisation += outcome.resource("vcore").utilisation();
        }

        assertThat(waits / easyWaits).as("mean wait relative to EASY").isBetween(0.95, 1.05);
        assertThat(utilisation / easyUtilisation)
                .as("utilisation relative to EASY")
                .isBetween(0.98, 1.02);
    }

    private static double utilisation(List<Job> jobs) {
        int end =
                jobs.stream().mapToInt(job -> job.started + job.duration).max().orElseThrow();
        int work = jobs.stream().mapToInt(job -> job.cores * job.duration).sum();
        return (double) work / CORES / (end - jobs.get(0).submitted);
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
