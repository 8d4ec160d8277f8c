package dev.sluice.runtime.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.Event;
import dev.sluice.runtime.file.PrivateFiles;
import dev.sluice.runtime.host.BatchLog;
import dev.sluice.runtime.journal.BatchDecoder;
import dev.sluice.runtime.journal.Cause;
import dev.sluice.runtime.journal.HistoryRecord;
import dev.sluice.runtime.journal.JournalEntry;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.journal.StoredBatch;
import dev.sluice.runtime.journal.codec.BatchEncoder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The journal of a local run: the file {@code journal} in its log folder, from which the run can be resumed.
 *
 * <p>It ends where the program gives up: what happens because of an interruption, or because no progress is possible,
 * is not recorded, so a resumed run continues before it. If the file cannot be written, it is emptied, because a
 * journal with a gap would run finished tasks again; the run itself continues. Locked while open. Not thread-safe.
 */
public final class RunJournal implements BatchLog, AutoCloseable {

    /** The name of the file. */
    public static final String NAME = "journal";

    /** The cause of what the program does when it gives up. */
    static final Cause GIVING_UP = Cause.internal("give up");

    private final JournalFile file;
    private final BatchEncoder encoder = new BatchEncoder();
    private final List<RecordedBatch> recorded = new ArrayList<>();
    private String formerMark = "";
    private String directory = "";
    private long next = 1;
    private boolean ended;
    private @Nullable String problem;

    /**
     * The entries of a batch.
     *
     * @param at when they were decided
     */
    record RecordedBatch(Instant at, List<JournalEntry> entries) {}

    /** What a record without events says; its text is the part of the body after the first byte. */
    private enum Note {
        /** A program opened the journal: its mark, a line feed, its working directory. */
        OPENED(0),
        /** Tasks that had not succeeded by then count as if they had not run. */
        RERUN(1);

        /** The first byte of the body, which never changes. */
        private final byte number;

        Note(int number) {
            this.number = (byte) number;
        }
    }

    private RunJournal(JournalFile file) {
        this.file = file;
    }

    /**
     * Creates the journal of a new run; replaces that of an earlier run with the same log folder.
     *
     * @throws StoreException if it cannot be written, or a program with the same log folder is running
     */
    public static RunJournal create(Path logs) throws StoreException {
        try {
            RunJournal journal = new RunJournal(JournalFile.open(PrivateFiles.ensureFile(logs.resolve(NAME))));
            journal.file.clear();
            return journal;
        } catch (IOException e) {
            throw unusable(logs, e);
        }
    }

    /**
     * Opens the journal of an earlier run, and waits until nothing of that run is alive.
     *
     * @param grace the time between SIGTERM and SIGKILL of its processes
     * @throws StoreException if there is none, it is damaged, it belongs to another working directory, or the run has
     *     not ended
     */
    public static RunJournal open(Path logs, Duration grace) throws StoreException {
        Path path = logs.resolve(NAME);
        if (!Files.isRegularFile(path)) {
            throw new StoreException(
                    StoreException.Kind.UNUSABLE, logs + " is not the log folder of a run: " + path + " not found");
        }
        try {
            RunJournal journal = new RunJournal(JournalFile.open(path));
            try {
                journal.read();
                journal.requireSameDirectory(logs);
                FormerProcesses.awaitEnd(journal.formerMark, grace);
            } catch (IOException | StoreException | RuntimeException e) {
                journal.close();
                throw e;
            }
            return journal;
        } catch (IOException e) {
            throw unusable(logs, e);
        }
    }

    private static StoreException unusable(Path logs, IOException e) {
        return new StoreException(
                StoreException.Kind.UNUSABLE, "cannot use " + logs.resolve(NAME) + ": " + e.getMessage(), e);
    }

    private void read() throws IOException, StoreException {
        BatchDecoder decoder = new BatchDecoder();
        file.read((first, events, at, body) -> {
            if (events == 0) {
                read(body);
                return;
            }
            if (first != next) {
                throw new StoreException(
                        StoreException.Kind.DAMAGED,
                        "events " + next + " to " + (first - 1) + " of " + file.path()
                                + " are missing: this run cannot be resumed; start it again");
            }
            recorded.add(new RecordedBatch(at, decoder.decode(new StoredBatch(first, events, at, body))));
            next += events;
        });
        if (recorded.isEmpty()) {
            throw new StoreException(
                    StoreException.Kind.UNUSABLE,
                    file.path() + " is empty: this run cannot be resumed; start it again");
        }
    }

    private void read(byte[] body) {
        if (body[0] == Note.RERUN.number) {
            replaceRecorded(Rerun.of(recorded));
        } else {
            String text = new String(body, 1, body.length - 1, UTF_8);
            int end = text.indexOf('\n');
            formerMark = text.substring(0, end);
            directory = text.substring(end + 1);
        }
    }

    private void replaceRecorded(List<RecordedBatch> batches) {
        recorded.clear();
        recorded.addAll(batches);
    }

    private void requireSameDirectory(Path logs) throws StoreException {
        if (!directory.equals(currentDirectory())) {
            throw new StoreException(
                    StoreException.Kind.UNUSABLE,
                    "the tasks of " + logs + " run in " + directory + ": change to this folder and resume with"
                            + " the log folder " + logs.toAbsolutePath());
        }
    }

    private static String currentDirectory() {
        return Path.of("").toAbsolutePath().toString();
    }

    /** Makes tasks that have not succeeded count as if they had not run, so that they run again. */
    public void rerunUnsuccessful() {
        note(Note.RERUN, "");
        replaceRecorded(Rerun.of(recorded));
    }

    /** Records the mark of the processes that this program starts. */
    void recordMark(String mark) {
        note(Note.OPENED, mark + "\n" + currentDirectory());
    }

    private void note(Note note, String text) {
        byte[] bytes = text.getBytes(UTF_8);
        byte[] body = new byte[1 + bytes.length];
        body[0] = note.number;
        System.arraycopy(bytes, 0, body, 1, bytes.length);
        write(0, Instant.EPOCH, body);
    }

    private void write(int events, Instant at, byte[] body) {
        if (problem != null) {
            return;
        }
        try {
            file.write(next, events, at, body);
        } catch (IOException e) {
            problem = "cannot write " + file.path() + ": " + e.getMessage();
            discard();
        }
    }

    /** Empties the file: nothing is left to resume. */
    public void discard() {
        ended = true;
        try {
            file.clear();
        } catch (IOException e) {
            problem = "cannot empty " + file.path() + ": " + e.getMessage();
        }
    }

    /** Returns why the run cannot be resumed, or null if it can. */
    public @Nullable String problem() {
        return problem;
    }

    /** Returns the number of applications that were submitted before this program started. */
    public int applications() {
        return (int) events().stream()
                .filter(ApplicationEvent.Submitted.class::isInstance)
                .count();
    }

    /** Returns the number of their tasks. */
    public long tasks() {
        return events().stream()
                .filter(ApplicationEvent.TasksAdded.class::isInstance)
                .flatMap(added -> ((ApplicationEvent.TasksAdded) added).tasks().stream())
                .mapToLong(task -> task.size())
                .sum();
    }

    private List<Event> events() {
        return recorded.stream()
                .flatMap(batch -> batch.entries().stream())
                .flatMap(entry -> entry.events().stream())
                .toList();
    }

    /** Returns what was recorded before this program started. */
    List<RecordedBatch> recorded() {
        return List.copyOf(recorded);
    }

    @Override
    public long nextSequence() {
        return next;
    }

    @Override
    public void append(List<JournalEntry> entries, List<HistoryRecord> historyRecords, Instant at) {
        encoder.begin(at);
        for (JournalEntry entry : entries) {
            ended |= entry.cause().equals(GIVING_UP);
            if (!ended) {
                boolean unused =
                        encoder.add(entry.cause().action(), entry.cause().actor(), entry.events(), Integer.MAX_VALUE);
            }
        }
        if (encoder.events() > 0) {
            write(encoder.events(), at, encoder.end());
        }
        entries.forEach(entry -> next += entry.events().size());
    }

    @Override
    public void appendHistory(List<HistoryRecord> historyRecords) {}

    /** Closes and unlocks the file. */
    @Override
    public void close() {
        file.close();
    }
}
