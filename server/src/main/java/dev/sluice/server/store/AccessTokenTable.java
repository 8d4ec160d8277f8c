package dev.sluice.server.store;

import dev.sluice.runtime.journal.AccessToken;
import dev.sluice.runtime.journal.AccessTokenStore;
import dev.sluice.runtime.journal.StoreException;
import java.sql.PreparedStatement;
import java.time.Instant;
import java.util.List;

/** The table of access tokens. */
final class AccessTokenTable implements AccessTokenStore {

    private static final String INSERT =
            "INSERT INTO access_tokens (id, digest, name, actor, role, created_nanos, expires_nanos)"
                    + " VALUES (?, ?, ?, ?, ?, ?, ?)";
    private static final String DELETE = "DELETE FROM access_tokens WHERE id = ?";
    private static final String DELETE_EXPIRED = "DELETE FROM access_tokens WHERE expires_nanos <= ?";

    private final HistoryTables historyTables;
    private final Writer writer;

    AccessTokenTable(HistoryTables historyTables, Writer writer) {
        this.historyTables = historyTables;
        this.writer = writer;
    }

    @Override
    public void add(AccessToken token) throws StoreException {
        writer.transact("write an access token", session -> {
            PreparedStatement insert = session.statement(INSERT);
            insert.setString(1, token.id());
            insert.setString(2, token.digest());
            insert.setString(3, Columns.text(token.name()));
            insert.setString(4, Columns.text(token.user()));
            insert.setString(5, token.role());
            insert.setLong(6, Columns.nanos(token.created()));
            insert.setLong(7, Columns.nanos(token.expires()));
            return insert.executeUpdate();
        });
    }

    @Override
    public void remove(String id) throws StoreException {
        writer.transact("remove an access token", session -> {
            PreparedStatement delete = session.statement(DELETE);
            delete.setString(1, Columns.text(id));
            return delete.executeUpdate();
        });
    }

    @Override
    public void removeExpired(Instant now) throws StoreException {
        writer.transact("remove access tokens", session -> session.update(DELETE_EXPIRED, Columns.nanos(now)));
    }

    @Override
    public List<AccessToken> all() throws StoreException {
        return historyTables.select(
                "SELECT id, digest, name, actor, role, created_nanos, expires_nanos FROM access_tokens"
                        + " ORDER BY created_nanos, id",
                List.of(),
                "read access tokens",
                row -> new AccessToken(
                        row.getString(1),
                        row.getString(2),
                        row.getString(3),
                        row.getString(4),
                        row.getString(5),
                        Columns.instant(row.getLong(6)),
                        Columns.instant(row.getLong(7))));
    }
}
