package dev.sluice.config.situation;

import dev.sluice.config.field.Field;
import dev.sluice.config.field.Keys;
import dev.sluice.config.field.Section;
import dev.sluice.config.problem.Problems;
import dev.sluice.config.problem.Reading;
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
 * Reads job files, as YAML or JSON: {@code applications}, or just {@code tasks} and the other keys of one application at the
 * top, which is then named after the file unless it has an id.
 */
public final class JobFileReader {

    private static final Keys KEYS = Keys.of("at", "seed", "partitions", "applications", "tasks", "nodes", "queues")
            .and(ApplicationReader.KEYS.names().toArray(String[]::new));

    private JobFileReader() {}

    /** The jobs in this file; {@code now} is when they are submitted where the file does not say so. */
    public static Reading<JobFile> read(Path file, Instant now) {
        Problems problems = new Problems(file.toString());
        return problems.reading(jobs(YamlReader.read(file, problems), file.toString(), now, problems));
    }

    /** The jobs in this text; the file's name is for messages, and to name an application after. */
    public static Reading<JobFile> read(String fileName, String text, Instant now) {
        Problems problems = new Problems(fileName);
        return problems.reading(jobs(YamlReader.read(text, problems), fileName, now, problems));
    }

    private static @Nullable JobFile jobs(
            @Nullable YamlValue document, String fileName, Instant now, Problems problems) {
        Section section =
                document == null ? null : Field.root(document, problems).asSection("a job file", KEYS);
        if (section == null) {
            return null;
        }
        Instant at = section.read("at", now, Field::asInstant);
        long seed = section.read("seed", 0L, field -> field.asWholeNumber(Long.MIN_VALUE, Long.MAX_VALUE));
        Field partitionsField = section.get("partitions");
        List<PartitionConfiguration> partitions =
                partitionsField == null ? List.of() : PartitionsReader.read(partitionsField);
        for (String key : List.of("nodes", "queues")) {
            Field field = section.get(key);
            if (field != null) {
                field.warning(key + " has no effect: jobs run on this machine, as it is");
            }
        }
        ApplicationReader reader = new ApplicationReader(Surroundings.ofJobs(at, partitions));
        return new JobFile(at, seed, partitions, applications(section, fileName, reader));
    }

    private static List<ApplicationEntry> applications(Section section, String fileName, ApplicationReader reader) {
        Field applications = section.get("applications");
        Field tasks = section.get("tasks");
        if (tasks != null && applications != null) {
            tasks.problem("this file has both tasks and applications: move the tasks into an application");
            return List.of();
        }
        if (tasks != null) {
            Field id = section.get("id");
            String name = id == null ? null : id.asName("the id of an application", TaskSpec.NAME_LENGTH_MAX);
            return List.of(reader.application(section, name == null ? nameOf(fileName) : name, id));
        }
        for (String key : ApplicationReader.KEYS.names()) {
            Field stray = section.get(key);
            if (stray != null) {
                stray.problem(key + " belongs to an application: move it there");
            }
        }
        if (applications == null) {
            section.self().problem("there is nothing to run: write tasks: and a list of tasks with commands");
        } else if (applications.isList() && applications.asList("applications").isEmpty()) {
            applications.problem("there is nothing to run: this list is empty");
        }
        return reader.read(applications);
    }

    /** The file's name without directories and its last extension. */
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
