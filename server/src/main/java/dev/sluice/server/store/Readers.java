package dev.sluice.server.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import javax.sql.DataSource;

/** Connection pools for reading. */
final class Readers {

    private static final int CONNECTIONS_MAX = 4;
    private static final long TIMEOUT_MILLIS = 10_000;

    private Readers() {}

    /** Creates a pool that connects on demand, so that it can be created while the database is unreachable. */
    static HikariDataSource pool(String name, DataSource source) {
        HikariConfig config = new HikariConfig();
        config.setPoolName(name);
        config.setDataSource(source);
        config.setMaximumPoolSize(CONNECTIONS_MAX);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(TIMEOUT_MILLIS);
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }
}
