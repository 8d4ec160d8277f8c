package dev.sluice.server.store;

import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.journal.StoreException.Kind;
import java.sql.SQLException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The single connection that writes. Writers wait for each other; transactions are short. After a failure the
 * transaction is rolled back or, if that may have failed, the connection is closed and the next writer reconnects.
 */
final class Writer {

    private final Database database;
    private final ConnectionCheck check;
    private final ReentrantLock turn = new ReentrantLock(true);
    private @Nullable Session session;
    private @Nullable StoreException end;
    private boolean connected;
    private boolean closed;

    @FunctionalInterface
    interface TransactionBody<T> {
        T in(Session session) throws SQLException, StoreException;
    }

    /** Verifies on a new connection that the journal is unchanged. */
    @FunctionalInterface
    interface ConnectionCheck {
        void resume(Session session) throws SQLException, StoreException;
    }

    Writer(Database database, ConnectionCheck check) {
        this.database = database;
        this.check = check;
    }

    /**
     * Executes a transaction, then {@code committed} before the next writer.
     *
     * @param what the action for messages: "cannot ..."
     */
    <T> T transact(String what, TransactionBody<T> work, Runnable committed) throws StoreException {
        turn.lock();
        try {
            T result = attempt(what, work);
            committed.run();
            return result;
        } catch (StoreException e) {
            if (e.kind() == Kind.IN_USE) {
                end = e;
            }
            throw e;
        } finally {
            turn.unlock();
        }
    }

    <T> T transact(String what, TransactionBody<T> work) throws StoreException {
        return transact(what, work, () -> {});
    }

    private <T> T attempt(String what, TransactionBody<T> work) throws StoreException {
        if (closed) {
            throw new StoreException(Kind.UNAVAILABLE, "cannot " + what + ": " + database.name() + " has been closed");
        }
        if (end != null) {
            throw new StoreException(end.kind(), String.valueOf(end.getMessage()), end);
        }
        try {
            Session current = connected();
            current.begin();
            database.requireAccess(current);
            T result = work.in(current);
            current.commit();
            return result;
        } catch (SQLException e) {
            if (!database.isUsableAfter(e) || !rolledBack()) {
                giveUp();
            }
            throw Failures.of(database, what, e);
        } catch (StoreException | RuntimeException e) {
            if (!rolledBack()) {
                giveUp();
            }
            throw e;
        }
    }

    private Session connected() throws SQLException, StoreException {
        if (session == null) {
            Session fresh = new Session(database.connect(connected));
            try {
                if (!connected) {
                    Schema.prepare(database);
                }
                fresh.begin();
                if (connected) {
                    database.requireAccess(fresh);
                }
                check.resume(fresh);
                fresh.commit();
            } catch (SQLException | StoreException | RuntimeException e) {
                fresh.close();
                throw e;
            }
            session = fresh;
            connected = true;
        }
        return session;
    }

    private boolean rolledBack() {
        if (session != null) {
            try {
                session.rollback();
            } catch (SQLException e) {
                return false;
            }
        }
        return true;
    }

    private void giveUp() {
        if (session != null) {
            session.close();
            session = null;
        }
    }

    void close() {
        turn.lock();
        try {
            closed = true;
            if (session != null) {
                database.release(session);
            }
        } catch (SQLException e) {
            // the connection failed, which ends the access as well
        } finally {
            giveUp();
            turn.unlock();
        }
    }
}
