package dev.sluice.server.store;

import dev.sluice.runtime.journal.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** A database that keeps a journal: how it is reached, who may write, and what its errors mean. */
interface Database extends AutoCloseable {

    /** What it is called in messages. */
    String name();

    /** In what its tables differ. */
    Dialect dialect();

    /**
     * A connection to write with. It comes with the sole right to write, which lasts until {@link #close} or,
     * where the database gives it to the connection, as long as that.
     *
     * @param again whether there was one before, which failed: then all that can be read is safe on disk when this returns
     */
    Connection connect(boolean again) throws SQLException, StoreException;

    /** Connections to read with. */
    DataSource readers();

    /** Connections to change the tables with. */
    DataSource migrators();

    /** What an error means. */
    StoreException.Kind kindOf(SQLException error);

    /** Whether a connection may still be used after an error, once it was rolled back. */
    boolean isUsableAfter(SQLException error);

    /**
     * Looks whether something of the journal has gone, before anything is done with it.
     *
     * @param last the sequence number of the last event
     */
    void requireNotTruncated(long last) throws StoreException;

    /** Takes note of what was committed. Called after each batch. */
    void committed(long last);

    @Override
    void close();
}
