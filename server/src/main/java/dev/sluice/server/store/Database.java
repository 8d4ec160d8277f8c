package dev.sluice.server.store;

import dev.sluice.runtime.journal.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** A database with a journal: connections, exclusive write access, and the meaning of its errors. */
interface Database extends AutoCloseable {

    /** Returns the name used in messages. */
    String name();

    /** Returns how its tables differ from other databases. */
    Dialect dialect();

    /**
     * Opens a connection for writing, with exclusive write access. The access lasts until {@link #close} or, if the
     * database ties it to the connection, until the connection ends.
     *
     * @param again whether a previous connection failed: then everything that can be read must be durable when this
     *     method returns
     */
    Connection connect(boolean again) throws SQLException, StoreException;

    /** Makes this program the only one that may write from now on; in the first transaction, once. */
    default void fence(Session session) throws SQLException, StoreException {}

    /**
     * Throws {@link StoreException.Kind#IN_USE} if another program may write instead of this one. Called at the
     * beginning of each later transaction; stays true until its end.
     */
    default void requireAccess(Session session) throws SQLException, StoreException {}

    /** Ends the exclusive write access of a connection that is closed next. */
    default void release(Session session) throws SQLException {}

    /** Returns connections for reading. */
    DataSource readers();

    /** Returns connections for migrations. */
    DataSource migrators();

    /** Classifies an error. */
    StoreException.Kind kindOf(SQLException error);

    /** Returns whether a connection is usable after an error and a rollback. */
    boolean isUsableAfter(SQLException error);

    /**
     * Throws if the journal has lost events at its end. Called before anything else is done.
     *
     * @param last the sequence number of the last event
     */
    void requireNotTruncated(long last) throws StoreException;

    /**
     * Called after each committed batch.
     *
     * @param last the sequence number of the last event
     */
    void committed(long last);

    @Override
    void close();
}
