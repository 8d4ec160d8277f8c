package dev.sluice.server.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A server of PostgreSQL that can be stopped and started again on the same data and port. */
public final class RestartableDatabase implements AutoCloseable {

    private final Path data;
    private EmbeddedPostgres server;

    /** Starts one on any free port, with its data in this folder. */
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

    /** Its address, as people write it. */
    public String address() {
        return "postgresql://postgres@localhost:" + server.getPort() + "/postgres";
    }

    /** Its address, as JDBC has it. */
    public String jdbcUrl() {
        return server.getJdbcUrl("postgres", "postgres");
    }

    /**
     * Stops it and starts it again.
     *
     * @param signal INT stops it in order, QUIT at once, so that it recovers from its log
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
        // Finds nothing to stop, and gives up its lock.
        server.close();
    }

    @Override
    public void close() throws IOException {
        stop("INT");
    }
}
