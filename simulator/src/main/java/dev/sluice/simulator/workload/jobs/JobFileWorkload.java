package dev.sluice.simulator.workload.jobs;

import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.snapshot.JobFileReader;
import dev.sluice.config.snapshot.JobWorkload;
import dev.sluice.config.snapshot.NodeEntry;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.simulator.workload.ArrivalStream;
import dev.sluice.simulator.workload.Workload;
import java.nio.file.Path;
import java.util.List;

/**
 * The applications of a job file in order of submission; simultaneous submissions keep the order of the file. The file
 * is kept in memory, with each application once, regardless of how often it is submitted.
 */
public final class JobFileWorkload implements Workload {

    private final String name;
    private final JobWorkload jobs;

    public JobFileWorkload(String name, JobWorkload jobs) {
        this.name = name;
        this.jobs = jobs;
    }

    /** Reads the workload in this file. */
    public static ParseResult<JobFileWorkload> read(Path file) {
        Path name = file.getFileName();
        return JobFileReader.readWorkload(file)
                .map(jobs -> new JobFileWorkload(name == null ? file.toString() : name.toString(), jobs));
    }

    /** Reads the workload in this text; the file name is used in messages and as the name of the workload. */
    public static ParseResult<JobFileWorkload> read(String fileName, String text) {
        return JobFileReader.readWorkload(fileName, text).map(jobs -> new JobFileWorkload(fileName, jobs));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<NodeEntry> nodes() {
        return jobs.nodes();
    }

    /** Returns the queue configuration in the file; empty if it contains none. */
    @Override
    public List<PartitionConfiguration> partitions() {
        return jobs.partitions();
    }

    /** Returns the random seed in the file; 0 if it contains none. */
    public long seed() {
        return jobs.seed();
    }

    @Override
    public ArrivalStream open() {
        return new SubmissionStream(jobs.submissions());
    }
}
