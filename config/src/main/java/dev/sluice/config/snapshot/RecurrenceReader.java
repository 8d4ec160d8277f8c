package dev.sluice.config.snapshot;

import dev.sluice.config.field.Field;
import dev.sluice.config.field.Section;
import dev.sluice.core.application.TaskSpec;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Reads the repetition of an application in a simulation: {@code every} and {@code times}.
 *
 * @param section the application
 * @param times the number of submissions; {@link TaskSpec#SINGLE} for one under its own id
 * @param every the time between submissions
 */
record RecurrenceReader(Section section, int times, Duration every) {

    private static final List<String> KEYS = List.of("every", "times");

    /** Returns the repetition of the application of this id; a single submission if it is missing or invalid. */
    static RecurrenceReader read(Section section, String id, ReadContext context) {
        RecurrenceReader once = new RecurrenceReader(section, TaskSpec.SINGLE, Duration.ZERO);
        Field every = section.get("every");
        Field times = section.get("times");
        if (!context.isSimulation()) {
            for (String key : KEYS) {
                Field field = section.get(key);
                if (field != null) {
                    field.warning(key + " has no effect here: it is for simulations");
                }
            }
            return once;
        }
        if (every == null || times == null) {
            if (every != null) {
                every.problem("every needs times, the number of submissions: add times:");
            }
            if (times != null) {
                times.problem("times needs every, the time between submissions: add every:");
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
            times.problem("the id of an application that is submitted " + count + " times must have at most "
                    + idLengthMax + " characters, since a number is appended: shorten it");
            return once;
        }
        return new RecurrenceReader(section, count.intValue(), distance);
    }

    /** Returns the submission of this application; empty after a problem with it. */
    Optional<WorkloadSubmission> of(ApplicationEntry application) {
        if (application.tasks().isEmpty() || application.tasks().stream().anyMatch(task -> task.duration() == null)) {
            return Optional.empty();
        }
        if (WorkloadSubmission.isLate(application.submitted(), times, every)) {
            Field field = section.get("times");
            (field == null ? section.self() : field).problem("the last submission must be before year 10000");
            return Optional.empty();
        }
        return Optional.of(new WorkloadSubmission(application, times, every));
    }
}
