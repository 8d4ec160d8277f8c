package dev.sluice.config.reference;

import dev.sluice.config.field.Key;
import dev.sluice.config.field.Keys;
import dev.sluice.config.notification.NotificationReader;
import dev.sluice.config.queues.QueueConfigurationReader;
import dev.sluice.config.snapshot.JobFileReader;
import dev.sluice.config.snapshot.SnapshotReader;
import dev.sluice.config.snapshot.SubmissionReader;
import java.util.List;

/**
 * A kind of file, or of a document sent to a server.
 *
 * @param name the name of its schema's file, without {@code .schema.json}
 * @param title what people call it
 * @param roots the keys at the top of the file: of alternatives, each but the last has a required key that tells it
 *     from the others
 */
public record FileFormat(String name, String title, List<Keys> roots) {

    /** Job files. */
    public static final FileFormat JOB_FILE =
            new FileFormat("job-file", "Sluice job file", List.of(JobFileReader.KEYS));

    /** Queue configurations. */
    public static final FileFormat QUEUES =
            new FileFormat("queues", "Sluice queue configuration", List.of(QueueConfigurationReader.KEYS));

    /** Snapshots. */
    public static final FileFormat SNAPSHOT =
            new FileFormat(Key.SNAPSHOT, "Sluice snapshot of a cluster", List.of(SnapshotReader.KEYS));

    /** Notification files. */
    public static final FileFormat NOTIFICATIONS =
            new FileFormat("notifications", "Sluice notification file", List.of(NotificationReader.KEYS));

    /** Applications sent to a server. */
    public static final FileFormat SUBMISSION =
            new FileFormat("submission", "Sluice application", List.of(SubmissionReader.KEYS));

    /** Tasks sent to a server, for an application that is there. */
    public static final FileFormat TASK_LIST =
            new FileFormat("task-list", "Sluice task list", List.of(SubmissionReader.TASK_LIST_KEYS));

    /** Copies the list. */
    public FileFormat {
        roots = List.copyOf(roots);
    }

    /** Returns whether files of this format may have this key. */
    boolean has(Key key) {
        return key.file().isEmpty() || key.file().equals(name);
    }
}
