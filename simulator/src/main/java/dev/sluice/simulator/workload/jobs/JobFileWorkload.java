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
 * The applications of a job file, in the order of their submission; of those that are submitted at the same time, in the order of the
 * file. The file is kept in memory, each application once, however often it is submitted.
 */
public final class JobFileWorkload implements Workload {

    private final String name;
    private final JobWorkload jobs;

    /** The workload of this name. */
    public JobFileWorkload(String name, JobWorkload jobs) {
        this.name = name;
        this.jobs = jobs;
    }

    /** The workload in this file. */
    public static ParseResult<JobFileWorkload> read(Path file) {
        Path name = file.getFileName();
        return JobFileReader.readWorkload(file)
                .map(jobs -> new JobFileWorkload(name == null ? file.toString() : name.toString(), jobs));
    }

    /** The workload in this text; the file's name is for messages, and that of the workload. */
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

    /** How the file divides its nodes among queues; empty if it does not say so. */
    @Override
    public List<PartitionConfiguration> partitions() {
        return jobs.partitions();
    }

    /** The seed that the file names for the scheduler; 0 if it names none. */
    public long seed() {
        return jobs.seed();
    }

    @Override
    public ArrivalStream open() {
        return new SubmissionStream(jobs.submissions());
    }
}
