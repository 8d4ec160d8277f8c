package dev.sluice.server.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A PostgreSQL server that can be restarted on the same data and port. */
public final class RestartableDatabase implements AutoCloseable {

    private final Path data;
    private EmbeddedPostgres server;

    /** Starts a server on a free port with this data folder. */
    public RestartableDatabase(Path data) throws IOException {
        this.data = data;
        server = start(0);
    }

    private EmbeddedPostgres start(int port) throws IOException {
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setRegisterShutdownHook(false)
                .setServerConfig("fsync", "on");
        return (port == 0 ? builder : builder.setPort(port)).start();
    }

    /** Returns the address in the format of the option {@code --database}. */
    public String address() {
        return "postgresql://postgres@localhost:" + server.getPort() + "/postgres";
    }

    /** Returns the JDBC URL. */
    public String jdbcUrl() {
        return server.getJdbcUrl("postgres", "postgres");
    }

    /**
     * Restarts the server.
     *
     * @param signal INT for a fast shutdown, QUIT for an immediate one followed by crash recovery
     */
    public void restart(String signal) throws IOException {
        stop(signal);
        server = start(server.getPort());
    }

    private void stop(String signal) throws IOException {
        String pid =
                Files.readAllLines(data.resolve("postmaster.pid"), UTF_8).get(0).strip();
        ProcessHandle process = ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
        new ProcessBuilder("kill", "-" + signal, pid)
                .inheritIO()
                .start()
                .onExit()
                .join();
        process.onExit().orTimeout(60, TimeUnit.SECONDS).join();
        // finds nothing to stop and releases its lock
        server.close();
    }

    @Override
    public void close() throws IOException {
        stop("INT");
    }
}
