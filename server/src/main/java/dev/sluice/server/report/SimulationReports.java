package dev.sluice.server.report;

import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.queues.QueueConfigurationReader;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.simulator.report.HtmlReport;
import dev.sluice.simulator.simulation.Experiment;
import dev.sluice.simulator.simulation.ExperimentListener;
import dev.sluice.simulator.simulation.ExperimentSetup;
import dev.sluice.simulator.simulation.ExperimentSetup.ExperimentCluster;
import dev.sluice.simulator.simulation.ExperimentSetup.ExperimentVariant;
import dev.sluice.simulator.simulation.SimulationException;
import dev.sluice.simulator.workload.WorkloadStatistics;
import dev.sluice.simulator.workload.jobs.JobFileWorkload;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Simulates past work under another configuration, on a thread of its own, one simulation at a time and for a limited
 * time. The last reports are kept in memory, so they end with the server. Thread-safe.
 */
public final class SimulationReports {

    /** Maximum number of reports; the oldest are removed first. */
    public static final int REPORTS_MAX = 10;

    /** Time limit of a simulation. */
    public static final Duration TIME_MAX = Duration.ofMinutes(10);

    /** Maximum size of a report and of its workload, in characters. */
    public static final int CHARACTERS_MAX = 16 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(SimulationReports.class);
    private static final Duration RETRY = Duration.ofSeconds(30);

    private final InstantSource clock;
    private final LongSupplier nanos;
    private final List<Report> reports = new ArrayList<>();
    private @Nullable RunningSimulation running;
    private long lastId;

    /** What became of a report. */
    public enum State {
        RUNNING("running"),
        READY("ready"),
        FAILED("failed"),
        CANCELLED("cancelled");

        private final String label;

        State(String label) {
            this.label = label;
        }

        /** Returns what it is called. */
        public String label() {
            return label;
        }
    }

    /**
     * What is simulated.
     *
     * @param partition the partition
     * @param period the past period, in words
     * @param user who has started it
     * @param workload the work of that period, as a job file with nodes and the current configuration
     * @param configuration the other configuration
     */
    public record Request(String partition, String period, String user, String workload, String configuration) {}

    /**
     * A report.
     *
     * @param detail why there is no page; empty if there is one, or while it runs
     * @param page the page, empty unless it is ready
     */
    public record Report(
            long id,
            String partition,
            String period,
            String user,
            Instant started,
            State state,
            String detail,
            String page) {

        Report ended(State newState, String newDetail, String newPage) {
            return new Report(id, partition, period, user, started, newState, newDetail, newPage);
        }
    }

    /** Ends a simulation from within, when it is cancelled or has taken too long. */
    private final class RunningSimulation implements ExperimentListener {

        private final String partition;
        private final long began = nanos.getAsLong();
        private final AtomicLong ended = new AtomicLong();
        private volatile boolean cancelled;

        RunningSimulation(String partition) {
            this.partition = partition;
        }

        @Override
        public void planned(int number, String name) {}

        @Override
        public void advanced(int number, Instant now, long events, long applicationsEnded) {
            ended.set(applicationsEnded);
            if (cancelled) {
                throw new StoppedException(State.CANCELLED, "");
            }
            if (nanos.getAsLong() - began > TIME_MAX.toNanos()) {
                throw new StoppedException(
                        State.FAILED,
                        "it took longer than " + TIME_MAX.toMinutes() + " minutes: choose a shorter period");
            }
        }

        @Override
        public void ended(int number) {}
    }

    private static final class StoppedException extends RuntimeException {

        private static final long serialVersionUID = 1;

        private final State state;

        StoppedException(State state, String message) {
            super(message);
            this.state = state;
        }
    }

    /** @param nanos a monotonic clock */
    public SimulationReports(InstantSource clock, LongSupplier nanos) {
        this.clock = clock;
        this.nanos = nanos;
    }

    /** Starts a simulation; throws a {@link ProblemException} if one is running or the configuration is wrong. */
    public synchronized Report start(Request request) {
        if (running != null) {
            throw ProblemException.retry(
                    ProblemKind.BUSY, "another simulation is running: wait for it or cancel it", RETRY, null);
        }
        List<PartitionConfiguration> configuration = read(request);
        Report report = new Report(
                ++lastId,
                request.partition(),
                request.period(),
                request.user(),
                clock.instant(),
                State.RUNNING,
                "",
                "");
        reports.add(0, report);
        if (reports.size() > REPORTS_MAX) {
            reports.remove(reports.size() - 1);
        }
        RunningSimulation simulation = new RunningSimulation(request.partition());
        running = simulation;
        Thread thread = new Thread(() -> run(report, request, configuration, simulation), "report");
        thread.setDaemon(true);
        thread.start();
        return report;
    }

    private static List<PartitionConfiguration> read(Request request) {
        ParseResult<List<PartitionConfiguration>> reading =
                QueueConfigurationReader.read("configuration", request.configuration());
        List<PartitionConfiguration> partitions = reading.valueOrNull();
        if (partitions == null) {
            throw ProblemException.of(
                    ProblemKind.INVALID,
                    "the configuration is wrong: " + reading.problems().get(0));
        }
        List<PartitionConfiguration> named = partitions.stream()
                .filter(partition -> partition.name().equals(request.partition()))
                .toList();
        if (named.isEmpty()) {
            throw ProblemException.of(ProblemKind.INVALID, "the configuration has no partition " + request.partition());
        }
        return named;
    }

    /** Returns the reports of a partition, newest first. */
    public synchronized List<Report> of(String partition) {
        return reports.stream()
                .filter(report -> report.partition().equals(partition))
                .toList();
    }

    /** Returns how many applications have ended in the simulation that is running; 0 without one. */
    public synchronized long applicationsEnded() {
        return running == null ? 0 : running.ended.get();
    }

    /** Cancels the simulation that is running; does nothing without one, or if it is one of another partition. */
    public synchronized void cancel(String partition) {
        if (running != null && running.partition.equals(partition)) {
            running.cancelled = true;
        }
    }

    private void run(
            Report report, Request request, List<PartitionConfiguration> configuration, RunningSimulation simulation) {
        Report ended;
        try {
            ended = report.ended(State.READY, "", page(request, configuration, simulation));
        } catch (StoppedException e) {
            ended = report.ended(e.state, String.valueOf(e.getMessage()), "");
        } catch (IOException | SimulationException | IllegalArgumentException e) {
            ended = report.ended(State.FAILED, String.valueOf(e.getMessage()), "");
        } catch (RuntimeException | OutOfMemoryError e) {
            LOG.error("simulation failed: report={}", report.id(), e);
            ended = report.ended(State.FAILED, "internal error: " + e, "");
        }
        synchronized (this) {
            running = null;
            int index = reports.indexOf(report);
            if (index >= 0) {
                reports.set(index, ended);
            }
        }
    }

    private static String page(
            Request request, List<PartitionConfiguration> configuration, RunningSimulation simulation)
            throws IOException {
        ParseResult<JobFileWorkload> reading =
                JobFileWorkload.read(request.partition() + ", " + request.period(), request.workload());
        JobFileWorkload workload = reading.valueOrNull();
        if (workload == null) {
            throw new IOException(
                    "the history cannot be simulated: " + reading.problems().get(0));
        }
        WorkloadStatistics statistics = WorkloadStatistics.of(workload);
        if (statistics.first() == null) {
            throw new IOException("no application with known durations ended in " + request.period());
        }
        if (workload.nodes().isEmpty()) {
            throw new IOException("partition " + request.partition() + " has no nodes");
        }
        ExperimentSetup setup = new ExperimentSetup(
                workload,
                statistics,
                List.of(new ExperimentCluster("", workload.nodes())),
                List.of(
                        new ExperimentVariant("current", workload.partitions()),
                        new ExperimentVariant("other", configuration)),
                1,
                false,
                1,
                null,
                null,
                workload.seed(),
                1);
        StringBuilder page = new StringBuilder();
        HtmlReport.write(Experiment.run(setup, simulation), page);
        if (page.length() > CHARACTERS_MAX) {
            throw new IOException("the report is too large: choose a shorter period");
        }
        return page.toString();
    }
}
