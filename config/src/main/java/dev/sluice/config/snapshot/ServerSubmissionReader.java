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
 * Reads what is sent to a server that runs: applications as job files have them, as YAML or JSON. Tasks need no command, for others may
 * run them; what belongs to the server (partitions, nodes) is not taken from there.
 */
public final class ServerSubmissionReader {

    private static final List<String> OF_THE_SERVER = List.of("at", "seed", "partitions", "nodes", "queues");

    private ServerSubmissionReader() {}

    /**
     * One application, which stays open unless it says that it is sealed.
     *
     * @param source what to call the text in messages
     * @param id its id if it has none
     * @param now when it is submitted
     * @param partitions those that the server has
     */
    public static ParseResult<ApplicationEntry> application(
            String source, String text, String id, Instant now, List<PartitionConfiguration> partitions) {
        Problems problems = new Problems(source);
        Section section = section(text, problems, "an application", FileKeys.APPLICATION);
        return problems.result(
                section == null ? null : application(section, id, ReadContext.ofSubmission(now, partitions)));
    }

    /**
     * The applications of a job file, each of which is sealed unless it says that it is not. What the file says about partitions, nodes and
     * what queues have used has no effect, which is a warning.
     *
     * @param source what to call the text in messages; also names an application without an id
     * @param now when they are submitted
     * @param partitions those that the server has
     * @param defaultPartition where applications go that name no partition
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

    /** Tasks for an application that is there: a map with a list of {@code tasks}. */
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
