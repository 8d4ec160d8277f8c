package dev.sluice.config.snapshot;

import dev.sluice.config.field.Field;
import dev.sluice.config.field.Section;
import dev.sluice.core.application.TaskSpec;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Reads how often an application is submitted: {@code every} and {@code times}, which mean something in a simulation alone.
 *
 * @param section the application
 * @param times how often; {@link TaskSpec#SINGLE} for once, under its own id
 * @param every how long after each other
 */
record RecurrenceReader(Section section, int times, Duration every) {

    private static final List<String> KEYS = List.of("every", "times");

    /** How often the application of this id is submitted; what is wrong counts as once. */
    static RecurrenceReader read(Section section, String id, ReadContext context) {
        RecurrenceReader once = new RecurrenceReader(section, TaskSpec.SINGLE, Duration.ZERO);
        Field every = section.get("every");
        Field times = section.get("times");
        if (!context.isSimulation()) {
            for (String key : KEYS) {
                Field field = section.get(key);
                if (field != null) {
                    field.warning(key + " has no effect here: it belongs to a simulation");
                }
            }
            return once;
        }
        if (every == null || times == null) {
            if (every != null) {
                every.problem("every says how long after each other: write times: too, which says how often in all");
            }
            if (times != null) {
                times.problem("times says how often: write every: too, which says how long after each other");
            }
            return once;
        }
        Long count = times.asLong(1, WorkloadSubmission.TIMES_MAX);
        Duration distance = every.asDuration();
        if (count == null || distance == null) {
            return once;
        }
        int idLengthMax =
                TaskSpec.NAME_LENGTH_MAX - 1 - Long.toString(count - 1).length();
        if (id.length() > idLengthMax) {
            times.problem("the id of an application that is submitted " + count + " times has at most " + idLengthMax
                    + " characters, to which the number is added: shorten it");
            return once;
        }
        return new RecurrenceReader(section, count.intValue(), distance);
    }

    /** The submission of this application; nothing if a problem stands in its way, which is noted here or was before. */
    Optional<WorkloadSubmission> of(ApplicationEntry application) {
        if (application.tasks().isEmpty() || application.tasks().stream().anyMatch(task -> task.duration() == null)) {
            return Optional.empty();
        }
        if (WorkloadSubmission.isLate(application.submitted(), times, every)) {
            Field field = section.get("times");
            (field == null ? section.self() : field)
                    .problem("the last of these is submitted after the year 9999, where time ends: write less");
            return Optional.empty();
        }
        return Optional.of(new WorkloadSubmission(application, times, every));
    }
}
