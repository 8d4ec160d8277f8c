package dev.sluice.config.snapshot;

import dev.sluice.config.field.Field;
import dev.sluice.config.field.Keys;
import dev.sluice.config.field.ReferencePage;
import dev.sluice.config.field.ResourcesInterner;
import dev.sluice.config.field.Section;
import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.problem.Problems;
import dev.sluice.config.yaml.TextInterner;
import dev.sluice.config.yaml.YamlReader;
import dev.sluice.config.yaml.YamlValue;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.PartitionConfiguration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads submissions to a server: applications as in job files, as YAML or JSON. Tasks need no command, since others may
 * run them. Thread-safe.
 *
 * <p>Equal texts and amounts of successive submissions are one object, because a server keeps them in memory.
 */
public final class SubmissionReader {

    /** The keys of an application. */
    public static final Keys KEYS = FileKeys.SUBMISSION;

    /** The keys of a list of tasks. */
    public static final Keys TASK_LIST_KEYS = FileKeys.ADDED_TASKS;

    private static final List<String> OF_THE_SERVER = List.of("at", "seed", "partitions", "nodes", "queues");

    private final Map<String, KnownPartition> partitions;
    private final TextInterner texts = new TextInterner();
    private final ResourcesInterner amounts = new ResourcesInterner();
    private final SubmissionOrigin unknownOrigin;

    /** Creates a reader that does not keep secrets, of submissions to a server with these partitions. */
    public SubmissionReader(List<PartitionConfiguration> partitions) {
        this(partitions, SecretEncryption.DISCARD);
    }

    /** Creates a reader of submissions to a server with these partitions. */
    public SubmissionReader(List<PartitionConfiguration> partitions, SecretEncryption encryption) {
        this.partitions = KnownPartition.byName(partitions);
        this.unknownOrigin = SubmissionOrigin.UNKNOWN.withEncryption(encryption);
    }

    /**
     * Reads one application, which is not sealed by default.
     *
     * @param source the name of the text in messages
     * @param partition the partition it is submitted to
     * @param id the id if the text has neither an id nor a name; with a name, it is numbered
     * @param now when it is submitted
     */
    public ParseResult<ApplicationEntry> application(
            String source, String text, String partition, String id, Instant now) {
        Problems problems = new Problems(source);
        Section section = section(text, problems, "an application", KEYS);
        if (section == null) {
            return problems.result(null);
        }
        ApplicationReader reader = new ApplicationReader(
                ReadContext.ofSubmission(now, partitions, partition, amounts).from(unknownOrigin));
        boolean isNamed = section.find("id") != null || section.get("name") != null;
        return problems.result(isNamed ? reader.application(section, id) : reader.withGivenId(section, id));
    }

    /**
     * Reads the applications of a job file, which are sealed by default. Partitions, nodes and past usage of queues in
     * the file have no effect and cause a warning.
     *
     * @param source the name of the text in messages, and of a single application without an id
     * @param defaultPartition the partition of applications that name none
     * @param now when they are submitted
     * @param origin where they are submitted from
     */
    public ParseResult<SubmissionFile> file(
            String source, String text, String defaultPartition, Instant now, SubmissionOrigin origin) {
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
        ReadContext context = ReadContext.ofSubmittedFile(now, partitions, defaultPartition, amounts)
                .from(origin.withEncryption(unknownOrigin.encryption()));
        List<ApplicationEntry> applications =
                JobFileReader.applications(section, source, context, new ApplicationReader(context));
        return problems.result(new SubmissionFile(applications, context.requestedTypes()));
    }

    /**
     * Reads tasks for an existing application: a map with the list {@code tasks}.
     *
     * @param source the name of the text in messages
     * @param partition the partition of the application
     * @param application its id
     * @param now when they are added
     */
    public ParseResult<List<TaskSpec>> tasks(
            String source, String text, String partition, String application, Instant now) {
        Problems problems = new Problems(source);
        Section section = section(text, problems, "a list of tasks", TASK_LIST_KEYS);
        ReadContext context =
                ReadContext.ofAddition(now, partitions, partition, amounts).from(unknownOrigin);
        ApplicationEntry read =
                section == null ? null : new ApplicationReader(context).withGivenId(section, application);
        return problems.result(
                read == null ? null : read.tasks().stream().map(TaskEntry::spec).toList());
    }

    private @Nullable Section section(String text, Problems problems, String what, Keys keys) {
        YamlValue document = YamlReader.read(text, problems, texts);
        return document == null
                ? null
                : Field.root(document, problems, ReferencePage.JOB_FILE).asSection(what, keys);
    }
}
