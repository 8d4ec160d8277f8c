package dev.sluice.server.store;

import dev.sluice.core.application.StopReason;
import dev.sluice.runtime.journal.AccessTokenStore;
import dev.sluice.runtime.journal.AuditLog;
import dev.sluice.runtime.journal.DemandHistory;
import dev.sluice.runtime.journal.FinishedQuery;
import dev.sluice.runtime.journal.HistoryRecord;
import dev.sluice.runtime.journal.JournalStore;
import dev.sluice.runtime.journal.NotificationOutbox;
import dev.sluice.runtime.journal.Retention;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.journal.StoreException.Kind;
import dev.sluice.runtime.journal.StoredBatch;
import dev.sluice.runtime.journal.TaskEndQuery;
import dev.sluice.runtime.journal.UsageQuery;
import dev.sluice.runtime.journal.WaitHistory;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A journal in an SQL database: what is common to all databases. */
final class SqlStore implements JournalStore {

    private final Database database;
    private final StoreOptions options;
    private final Writer writer;
    private final JournalTable journal;
    private final CheckpointTables checkpoints;
    private final HistoryTables historyTables;
    private final TaskEndTable taskEnds;
    private final NotificationTable notifications;
    private final AuditTable audit;
    private final DemandTable demand;
    private final WaitTable waits;
    private final AccessTokenTable accessTokens;
    private final RetentionCleaner retentionCleaner;

    private volatile long last = -1;

    /** A batch whose write failed, so it may or may not be in the journal; guarded by the writer's lock. */
    private @Nullable StoredBatch uncertain;

    private SqlStore(Database database, StoreOptions options) {
        this.database = database;
        this.options = options;
        writer = new Writer(database, this::resume);
        journal = new JournalTable(database);
        checkpoints = new CheckpointTables(database, writer);
        historyTables = new HistoryTables(database);
        taskEnds = new TaskEndTable(historyTables);
        notifications = new NotificationTable(historyTables, writer);
        audit = new AuditTable(historyTables, writer);
        demand = new DemandTable(historyTables, writer);
        waits = new WaitTable(historyTables, writer);
        accessTokens = new AccessTokenTable(historyTables, writer);
        retentionCleaner = new RetentionCleaner(database, writer, checkpoints);
    }

    /** Opens the store; closes the database on failure. */
    static SqlStore open(Database database, StoreOptions options) throws StoreException {
        SqlStore store = new SqlStore(database, options);
        try {
            store.writer.transact("open the journal", session -> true);
        } catch (StoreException | RuntimeException e) {
            store.close();
            throw e;
        }
        return store;
    }

    /** Verifies on a new connection of the writer that the journal is unchanged. */
    private void resume(Session session) throws SQLException, StoreException {
        if (last < 0) {
            begin(session);
            return;
        }
        long found = journal.last(session);
        if (found < last) {
            throw new StoreException(
                    Kind.DAMAGED,
                    database.name() + " ends at event " + found + ", but " + last
                            + " were written: it was replaced by an older copy. Stop the server and restore the"
                            + " newer one");
        }
        StoredBatch batch = uncertain;
        if (found > last && batch != null && batch.last() == found && JournalTable.contains(session, batch)) {
            written(batch);
        } else if (found > last) {
            throw inUse(last + 1);
        }
    }

    private void begin(Session session) throws SQLException, StoreException {
        database.fence(session);
        long found = journal.last(session);
        database.requireNotTruncated(found);
        long latest = CheckpointTables.latest(session);
        if (latest > found) {
            if (!options.acceptLoss()) {
                throw new StoreException(
                        Kind.DAMAGED,
                        database.name() + " ends at event " + found + ", but has a checkpoint of event " + latest
                                + ": events are missing. Restore a backup, or accept the loss with --accept-loss");
            }
            CheckpointTables.discardAfter(session, found);
        }
        checkFolder(session);
        last = found;
    }

    /**
     * Checks that the journal belongs to this data folder. A journal of a former version belongs to the first folder
     * that opens it.
     */
    private void checkFolder(Session session) throws SQLException, StoreException {
        FolderIdentity folder = options.folder();
        if (folder == null) {
            return;
        }
        long own = folder.number();
        long known = session.number("SELECT value FROM meta WHERE name = 'folder'", own);
        if (known != own) {
            folder.requireAdoption(database.name(), known);
            options.notices().accept(database.name() + " now belongs to the data folder " + folder.folder());
        }
        session.update(
                "INSERT INTO meta (name, value) VALUES ('folder', ?) ON CONFLICT (name) DO UPDATE SET value ="
                        + " excluded.value",
                own);
    }

    private StoreException inUse(long event) {
        return new StoreException(
                Kind.IN_USE,
                "another program has written event " + event + " to " + database.name() + ". This server must stop");
    }

    private void written(StoredBatch batch) {
        last = batch.last();
        uncertain = null;
        database.committed(last);
    }

    @Override
    public long lastSequence() {
        return last;
    }

    @Override
    public void append(StoredBatch batch, List<HistoryRecord> historyRecords) throws StoreException {
        writer.transact(
                "write events " + batch.first() + " to " + batch.last(),
                session -> {
                    if (batch.first() > last + 1) {
                        throw new IllegalArgumentException("gap in the journal: batch starts at event " + batch.first()
                                + ", last event is " + last);
                    }
                    if (batch.first() <= last || !JournalTable.insert(session, batch)) {
                        if (!JournalTable.contains(session, batch)) {
                            throw inUse(batch.first());
                        }
                        return true;
                    }
                    uncertain = batch;
                    HistoryTables.insert(session, historyRecords);
                    return true;
                },
                () -> {
                    if (batch.last() > last) {
                        written(batch);
                    }
                });
    }

    @Override
    public void appendHistory(List<HistoryRecord> historyRecords) throws StoreException {
        writer.transact("write history records", session -> {
            HistoryTables.insert(session, historyRecords);
            return true;
        });
    }

    @Override
    public void read(long after, BatchReader reader) throws StoreException {
        journal.read(after, last, reader);
    }

    @Override
    public @Nullable Checkpoint checkpointBefore(long sequence) throws StoreException {
        return checkpoints.before(sequence);
    }

    @Override
    public void keepCheckpoint(long sequence, Instant at, CheckpointWriter content) throws StoreException {
        if (sequence < 0 || sequence > last) {
            throw new IllegalArgumentException("checkpoint of event " + sequence + " is beyond the last event " + last);
        }
        checkpoints.keep(sequence, at, content);
    }

    @Override
    public void discard(Retention retention, Instant now) throws StoreException {
        retentionCleaner.discard(retention, now);
    }

    @Override
    public List<HistoryRecord.IdempotencyRecord> idempotencyRecords(Instant since, int limit) throws StoreException {
        return historyTables.idempotencyRecords(since, limit);
    }

    @Override
    public List<HistoryRecord.FinishedApplication> finished(FinishedQuery query) throws StoreException {
        return historyTables.finished(query);
    }

    @Override
    public List<HistoryRecord.TaskEnd> taskEnds(TaskEndQuery query) throws StoreException {
        return taskEnds.find(query);
    }

    @Override
    public Map<StopReason, Long> stops(HistoryRecord.FinishedApplication application) throws StoreException {
        return taskEnds.stops(application);
    }

    @Override
    public void usage(UsageQuery query, UsageQuery.UsageReader reader) throws StoreException {
        new RunUsageTable(database).read(query, reader);
    }

    @Override
    public List<HistoryRecord.ConfigurationRevision> revisions(long before, int limit) throws StoreException {
        return historyTables.revisions(before, limit);
    }

    @Override
    public NotificationOutbox outbox() {
        return notifications;
    }

    @Override
    public AuditLog audit() {
        return audit;
    }

    @Override
    public DemandHistory demand() {
        return demand;
    }

    @Override
    public WaitHistory waits() {
        return waits;
    }

    @Override
    public AccessTokenStore accessTokens() {
        return accessTokens;
    }

    @Override
    public long firstSequence() throws StoreException {
        try (Connection connection = database.readers().getConnection();
                Session session = new Session(connection)) {
            return JournalTable.first(session);
        } catch (SQLException e) {
            throw Failures.of(database, "read the journal", e);
        }
    }

    @Override
    public void close() {
        writer.close();
        database.close();
    }
}
