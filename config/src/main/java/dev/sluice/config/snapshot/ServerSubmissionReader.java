package dev.sluice.config.snapshot;

import dev.sluice.config.field.Field;
import dev.sluice.config.field.Keys;
import dev.sluice.config.field.ReferencePage;
import dev.sluice.config.field.Section;
import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.problem.Problems;
import dev.sluice.config.yaml.YamlReader;
import dev.sluice.config.yaml.YamlValue;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.PartitionConfiguration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads submissions to a server: applications as in job files, as YAML or JSON. Tasks need no command, since others may
 * run them. Partitions and nodes of the file are ignored.
 */
public final class ServerSubmissionReader {

    private static final List<String> OF_THE_SERVER = List.of("at", "seed", "partitions", "nodes", "queues");

    private ServerSubmissionReader() {}

    /**
     * Reads one application, which is not sealed by default.
     *
     * @param source the name of the text in messages
     * @param id the id if the text has none
     * @param now when it is submitted
     * @param partitions the partitions of the server
     */
    public static ParseResult<ApplicationEntry> application(
            String source, String text, String id, Instant now, List<PartitionConfiguration> partitions) {
        Problems problems = new Problems(source);
        Section section = section(text, problems, "an application", FileKeys.APPLICATION);
        return problems.result(
                section == null ? null : application(section, id, ReadContext.ofSubmission(now, partitions)));
    }

    /**
     * Reads the applications of a job file, which are sealed by default. Partitions, nodes and past usage of queues in
     * the file have no effect and cause a warning.
     *
     * @param source the name of the text in messages, and of a single application without an id
     * @param now when they are submitted
     * @param partitions the partitions of the server
     * @param defaultPartition the partition of applications that name none
     */
    public static ParseResult<SubmissionFile> file(
            String source, String text, Instant now, List<PartitionConfiguration> partitions, String defaultPartition) {
        Problems problems = new Problems(source);
        Section section = section(text, problems, "a job file", JobFileReader.KEYS);
        if (section == null) {
            return problems.result(null);
        }
        for (String key : OF_THE_SERVER) {
            Field field = section.get(key);
            if (field != null) {
                field.warning(key + " has no effect here: the server has its own");
            }
        }
        ReadContext context = ReadContext.ofSubmittedFile(now, partitions, defaultPartition);
        List<ApplicationEntry> applications =
                JobFileReader.applications(section, source, context, new ApplicationReader(context));
        return problems.result(new SubmissionFile(applications, context.requestedTypes()));
    }

    /** Reads tasks for an existing application: a map with the list {@code tasks}. */
    public static ParseResult<List<TaskSpec>> tasks(
            String source, String text, String application, Instant now, List<PartitionConfiguration> partitions) {
        Problems problems = new Problems(source);
        Section section = section(text, problems, "a list of tasks", FileKeys.ADDED_TASKS);
        ApplicationEntry read =
                section == null ? null : application(section, application, ReadContext.ofAddition(now, partitions));
        return problems.result(
                read == null ? null : read.tasks().stream().map(TaskEntry::spec).toList());
    }

    private static ApplicationEntry application(Section section, String id, ReadContext context) {
        Field field = section.find("id");
        String written = field == null ? null : field.asName("the id of an application", TaskSpec.NAME_LENGTH_MAX);
        return new ApplicationReader(context).application(section, written == null ? id : written, field);
    }

    private static @Nullable Section section(String text, Problems problems, String what, Keys keys) {
        YamlValue document = YamlReader.read(text, problems);
        return document == null
                ? null
                : Field.root(document, problems, ReferencePage.JOB_FILE).asSection(what, keys);
    }
}
