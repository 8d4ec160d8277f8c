package dev.sluice.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.ProgramTest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server that must not start reports the reason, exits with 2 and changes nothing. */
@Timeout(300)
@ProgramTest
@Tag("slow")
final class RefusedStartTest {

    private static final String DATABASE = "sluice.db";

    @TempDir
    Path folder;

    private Path data = Path.of("");

    @BeforeEach
    void nameData() {
        data = folder.resolve("data");
    }

    /** Returns the error of a server that does not start. */
    private static String refusal(Path data, String... arguments) throws IOException {
        try (ServerProcess server = ServerProcess.begin(data, arguments)) {
            assertThat(server.exitCode()).as(server.err()).isEqualTo(2);
            assertThat(server.err())
                    .contains("sluice: ")
                    .doesNotContain("\tat ")
                    .doesNotContain("bug");
            return server.err();
        }
    }

    /** Returns the error and checks that the data folder is unchanged. */
    private String refusalWithoutChange(String... arguments) throws IOException {
        SortedMap<String, Integer> before = contents();
        String refusal = refusal(data, arguments);
        assertThat(contents()).isEqualTo(before);
        return refusal;
    }

    /** Returns the files of the data folder with hashes of their content. */
    private SortedMap<String, Integer> contents() throws IOException {
        SortedMap<String, Integer> contents = new TreeMap<>();
        try (Stream<Path> files = Files.walk(data)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = file.getFileName().toString();
                boolean empty = name.endsWith("-wal") && Files.size(file) == 0;
                if (!name.endsWith("-shm") && !name.equals("sluice.lock") && !empty) {
                    contents.put(data.relativize(file).toString(), Arrays.hashCode(Files.readAllBytes(file)));
                }
            }
        }
        return contents;
    }

    /** Runs a server on the data folder and shuts it down. */
    private void use(int applications) throws IOException {
        try (ServerProcess server = ServerProcess.start(data, "--no-node")) {
            RetryingTestClient client = new RetryingTestClient(server.port());
            for (int i = 0; i < applications; i++) {
                RetryingTestClient.TestResponse answer = client.post(
                        "/partitions/default/applications", "{tasks: [{id: t, count: 5, resources: {vcore: 1}}]}");
                assertThat(answer.status()).isEqualTo(201);
            }
            server.terminate();
            assertThat(server.exitCode()).isZero();
        }
    }

    @Test
    void secondServer_onUsedFolderOrPort_isRefused() throws Exception {
        try (ServerProcess first = ServerProcess.start(data, "--no-node")) {
            String port = String.valueOf(first.port());
            assertThat(refusal(data, "--no-node"))
                    .containsIgnoringCase("another")
                    .contains(data.toString());
            assertThat(refusal(folder.resolve("other"), "--no-node", "--port", port))
                    .contains("port " + port + " is already in use");
            assertThat(new RetryingTestClient(first.port()).get("/ready").status())
                    .isEqualTo(200);
            assertThat(new RetryingTestClient(first.port())
                            .post("/partitions/default/applications", "{tasks: [{id: t, resources: {vcore: 1}}]}")
                            .status())
                    .isEqualTo(201);
        }
    }

    @Test
    void folder_thatCannotBeUsed_isRefused() throws Exception {
        data = Files.writeString(folder.resolve("file"), "text").resolve("data");
        assertThat(refusalOfNoFolder()).contains("cannot use the data folder").contains(data.toString());
    }

    private String refusalOfNoFolder() throws IOException {
        try (ServerProcess server = ServerProcess.begin(folder.resolve("errors"), "--no-node", "--data=" + data)) {
            assertThat(server.exitCode()).isEqualTo(2);
            return server.err();
        }
    }

    @Test
    void database_damaged_isRefused() throws Exception {
        use(60);
        Path database = data.resolve(DATABASE);
        byte[] whole = Files.readAllBytes(database);
        byte[] flipped = whole.clone();
        String text = new String(whole, StandardCharsets.ISO_8859_1);
        // Some occurrences are remnants of split pages, which are never read.
        for (int at = text.indexOf("SubmitApplication"); at >= 0; at = text.indexOf("SubmitApplication", at + 1)) {
            flipped[at] ^= (byte) 0x01;
        }
        Files.write(database, flipped);
        assertThat(refusalWithoutChange("--no-node")).contains("Restore a backup");
        Files.write(database, Arrays.copyOf(whole, whole.length / 2));
        assertThat(refusalWithoutChange("--no-node")).contains("Restore");
        Files.write(database, whole);
        ServerProcess.start(data, "--no-node").close();
    }

    @Test
    void database_ofANewerVersion_isRefused() throws Exception {
        use(1);
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + data.resolve(DATABASE));
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("UPDATE meta SET value = 99 WHERE name = 'format'");
        }
        assertThat(refusalWithoutChange("--no-node")).contains("newer version of Sluice");
    }

    @Test
    void journal_olderThanAcknowledged_isRefusedUnlessLossAccepted() throws Exception {
        use(1);
        Path old = Files.copy(data.resolve(DATABASE), folder.resolve("old"));
        use(5);
        Files.copy(old, data.resolve(DATABASE), StandardCopyOption.REPLACE_EXISTING);
        String refusal = refusalWithoutChange("--no-node");
        assertThat(refusal).contains("have been acknowledged").contains("--accept-loss");
        try (ServerProcess server = ServerProcess.start(data, "--no-node", "--accept-loss")) {
            assertThat(server.err()).contains("are lost");
            assertThat(new RetryingTestClient(server.port())
                            .get("/partitions/default/applications")
                            .json()
                            .get("items")
                            .size())
                    .isEqualTo(1);
        }
        ServerProcess.start(data, "--no-node").close();
    }
}
