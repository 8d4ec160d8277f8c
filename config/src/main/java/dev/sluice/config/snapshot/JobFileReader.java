package dev.sluice.config.snapshot;

import dev.sluice.config.field.Field;
import dev.sluice.config.field.Keys;
import dev.sluice.config.field.ReferencePage;
import dev.sluice.config.field.Section;
import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.problem.Problems;
import dev.sluice.config.queues.PartitionsReader;
import dev.sluice.config.yaml.YamlReader;
import dev.sluice.config.yaml.YamlValue;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.PartitionConfiguration;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads job files, as YAML or JSON: {@code applications}, or {@code tasks} and the other keys of a single application,
 * which is named after the file unless it has an id.
 */
public final class JobFileReader {

    /** The keys of a job file. */
    public static final Keys KEYS = FileKeys.JOBS;

    private JobFileReader() {}

    /** Reads the jobs of this file; {@code now} is when they are submitted unless the file says so. */
    public static ParseResult<JobFile> read(Path file, Instant now) {
        return read(file, now, null, SubmissionOrigin.UNKNOWN);
    }

    /**
     * Reads the jobs of this file, submitted from this origin; {@code partitions} replace those of the file unless they
     * are null.
     */
    public static ParseResult<JobFile> read(
            Path file, Instant now, @Nullable List<PartitionConfiguration> partitions, SubmissionOrigin origin) {
        Problems problems = new Problems(file.toString());
        return problems.result(
                jobs(YamlReader.read(file, problems), file.toString(), now, partitions, origin, problems));
    }

    /** Reads the jobs of this text; the file name is used in messages and to name a single application. */
    public static ParseResult<JobFile> read(String fileName, String text, Instant now) {
        return read(fileName, text, now, null, SubmissionOrigin.UNKNOWN);
    }

    /**
     * Reads the jobs of this text, submitted from this origin; {@code partitions} replace those of the text unless they
     * are null.
     */
    public static ParseResult<JobFile> read(
            String fileName,
            String text,
            Instant now,
            @Nullable List<PartitionConfiguration> partitions,
            SubmissionOrigin origin) {
        Problems problems = new Problems(fileName);
        return problems.result(jobs(YamlReader.read(text, problems), fileName, now, partitions, origin, problems));
    }

    /**
     * Reads a job file for a simulation: every task needs a {@code duration}; a {@code command} is ignored.
     * Applications without {@code submitted} are submitted at the instant {@code at} of the file, which defaults to
     * 1970-01-01T00:00:00Z.
     */
    public static ParseResult<JobWorkload> readWorkload(Path file) {
        Problems problems = new Problems(file.toString());
        return problems.result(workload(YamlReader.read(file, problems), file.toString(), problems));
    }

    /**
     * Reads a job file for a simulation from this text, like {@link #readWorkload(Path)}; the file name is used in
     * messages and to name a single application.
     */
    public static ParseResult<JobWorkload> readWorkload(String fileName, String text) {
        Problems problems = new Problems(fileName);
        return problems.result(workload(YamlReader.read(text, problems), fileName, problems));
    }

    private static @Nullable JobFile jobs(
            @Nullable YamlValue document,
            String fileName,
            Instant now,
            @Nullable List<PartitionConfiguration> given,
            SubmissionOrigin origin,
            Problems problems) {
        Section section = document == null
                ? null
                : Field.root(document, problems, ReferencePage.JOB_FILE).asSection("a job file", KEYS);
        if (section == null) {
            return null;
        }
        Instant at = section.read("at", now, Field::asInstant);
        long seed = seed(section);
        int before = problems.count();
        List<PartitionConfiguration> partitions = given != null ? given : partitions(section);
        // references to invalid partitions are not checked: their problems are reported already
        ReadContext context = ReadContext.ofJobs(at, problems.count() == before ? partitions : List.of())
                .from(origin);
        List<NodeEntry> nodes = NodeReader.read(section.get("nodes"), context);
        List<QueueEntry> queues = QueueEntryReader.read(section.get("queues"), context);
        List<ApplicationEntry> applications = applications(section, fileName, context, new ApplicationReader(context));
        return new JobFile(at, seed, partitions, nodes, applications, queues, context.requestedTypes());
    }

    private static @Nullable JobWorkload workload(@Nullable YamlValue document, String fileName, Problems problems) {
        Section section = document == null
                ? null
                : Field.root(document, problems, ReferencePage.JOB_FILE).asSection("a job file", KEYS);
        if (section == null) {
            return null;
        }
        Instant at = section.read("at", Instant.EPOCH, Field::asInstant);
        int before = problems.count();
        Field partitionsField = section.get("partitions");
        List<PartitionConfiguration> partitions =
                partitionsField == null ? List.of() : PartitionsReader.read(partitionsField);
        // references to missing or invalid partitions are not checked
        ReadContext context = ReadContext.ofSimulation(at, problems.count() == before ? partitions : List.of());
        List<NodeEntry> nodes = NodeReader.read(section.get("nodes"), context);
        Field queues = section.get("queues");
        if (queues != null) {
            queues.warning("queues has no effect here: in a simulation all queues start without past usage");
        }
        ApplicationReader reader = new ApplicationReader(context);
        applications(section, fileName, context, reader);
        return new JobWorkload(seed(section), partitions, nodes, reader.submissions());
    }

    private static long seed(Section section) {
        return section.read("seed", 0L, field -> field.asLong(Long.MIN_VALUE, Long.MAX_VALUE));
    }

    /** Returns the partitions of the file, or the simplest one. */
    private static List<PartitionConfiguration> partitions(Section section) {
        Field field = section.get("partitions");
        return field == null ? List.of(PartitionConfiguration.simplest()) : PartitionsReader.read(field);
    }

    /** Returns the applications of a job file: those of the list, or the single one at the top. */
    static List<ApplicationEntry> applications(
            Section section, String fileName, ReadContext context, ApplicationReader reader) {
        String nothing = "nothing to " + context.purpose() + ": ";
        Field applications = section.get("applications");
        Field tasks = section.get("tasks");
        if (tasks != null && applications != null) {
            tasks.problem("tasks and applications cannot be combined: move the tasks into an application");
            return List.of();
        }
        if (tasks != null) {
            return List.of(reader.application(section, nameOf(fileName)));
        }
        for (String key : FileKeys.APPLICATION.names()) {
            Field stray = section.get(key);
            if (stray != null) {
                stray.problem(key + " belongs to an application: move it there");
            }
        }
        if (applications == null) {
            section.self().problem(nothing + "add tasks: with a list of tasks" + context.taskRequirement());
        } else if (applications.isList() && applications.size() == 0) {
            applications.problem(nothing + "this list is empty");
        }
        return reader.read(applications);
    }

    /** Returns the file name without directories and extension. */
    private static String nameOf(String fileName) {
        String name = fileName.substring(Math.max(fileName.lastIndexOf('/'), fileName.lastIndexOf('\\')) + 1);
        int dot = name.lastIndexOf('.');
        String stem = dot > 0 ? name.substring(0, dot) : name;
        String clean = stem.chars()
                .filter(c -> !Character.isISOControl(c))
                .limit(TaskSpec.NAME_LENGTH_MAX)
                .collect(StringBuilder::new, (text, c) -> text.append((char) c), StringBuilder::append)
                .toString();
        return clean.isEmpty() ? "jobs" : clean;
    }
}
