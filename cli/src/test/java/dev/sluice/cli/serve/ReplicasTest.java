package dev.sluice.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.cli.ProgramTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Two packaged servers with one lease and one journal in PostgreSQL. */
@ProgramTest
@Tag("kubernetes")
@Timeout(300)
final class ReplicasTest {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @TempDir
    private Path folder;

    private @Nullable ReplicaCluster started;
    private ReplicaCluster cluster;
    private final List<ServerProcess> servers = new ArrayList<>();
    private ServerProcess leader;
    private ServerProcess standby;

    @BeforeEach
    void start() throws Exception {
        cluster = new ReplicaCluster(folder, 2);
        started = cluster;
        cluster.addReplica("first");
        cluster.addReplica("second");
        createPod("none", "first", "{}");
        createPod("none", "second", "{}");
        leader = begin("first");
        servers.add(leader);
        await().atMost(PATIENCE).until(() -> isLeader(leader) || !leader.isAlive());
        assertThat(isLeader(leader)).as(leader.err()).isTrue();
        standby = begin("second");
        servers.add(standby);
        await().atMost(PATIENCE).until(() -> standby.err().contains("on standby"));
    }

    @AfterEach
    void end() throws IOException {
        if (started != null) {
            servers.forEach(ServerProcess::close);
            started.close();
        }
    }

    /** Starts a server as if it ran in the pod of its name. */
    private ServerProcess begin(String name) throws IOException {
        return cluster.begin(name, "--lease-pod", name);
    }

    private void createPod(String scheduler, String name, String labels) throws IOException, InterruptedException {
        assertThat(cluster.kubectlReading("""
                        apiVersion: v1
                        kind: Pod
                        metadata: {name: %s, labels: %s}
                        spec:
                          schedulerName: %s
                          containers: [{name: c, image: none, resources: {requests: {cpu: 1}}}]
                        """.formatted(name, labels, scheduler), "create", "-f", "-"))
                .contains("created");
    }

    private void awaitLeaderLabel(String pod) {
        await("the pod " + pod + " alone is labelled as the leader")
                .atMost(PATIENCE)
                .until(() -> cluster.kubectl("get", "pods", "-l", "sluice.dev/leader=sluice", "-o", "name")
                        .strip()
                        .equals("pod/" + pod));
    }

    private static boolean isLeader(ServerProcess server) {
        return server.err().contains("listening on ");
    }

    private void create(String... names) throws IOException, InterruptedException {
        for (String name : names) {
            createPod("sluice", name, "{applicationId: job}");
        }
    }

    private long bound() throws IOException, InterruptedException {
        return cluster.pods().stream()
                .filter(pod -> !pod.at("/spec/nodeName").asString("").isEmpty())
                .count();
    }

    private void awaitBound(int count) {
        await().atMost(PATIENCE).until(() -> bound() == count);
    }

    private Instant renewal() throws IOException, InterruptedException {
        JsonNode lease = ReplicaCluster.JSON.readTree(cluster.kubectl("get", "lease", "sluice", "-o", "json"));
        return Instant.parse(lease.at("/spec/renewTime").asString());
    }

    /** Returns the last event of the journal and the epoch of its writer. */
    private String journal() throws SQLException {
        try (Connection connection =
                        DriverManager.getConnection(cluster.database().jdbcUrl());
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT (SELECT max(last) FROM journal), epoch FROM writer")) {
            assertThat(row.next()).isTrue();
            return row.getLong(1) + " of " + row.getLong(2);
        }
    }

    /** Prints the time from the end of the lease until the first binding of the next leader: a figure, not a check. */
    private void printFailover(String what, Instant renewed) throws IOException {
        Instant first = cluster.requests().stream()
                .filter(request -> ReplicaCluster.isOf("second", request) && request.isBinding())
                .map(ApiRequest::answered)
                .findFirst()
                .orElseThrow();
        Instant end = renewed.plusSeconds(ReplicaCluster.LEASE_SECONDS);
        Duration failover = Duration.between(end, first);
        System.out.println(
                "replicas: " + what + ", first binding " + failover.toMillis() + " ms after the end of the lease");
    }

    @Test
    void leader_killed_isReplaced() throws Exception {
        create("p0", "p1");
        awaitBound(2);
        awaitLeaderLabel("first");
        leader.kill();
        Instant renewed = renewal();
        create("p2", "p3");
        awaitBound(4);
        printFailover("leader killed", renewed);
        awaitLeaderLabel("second");
        assertThat(new RetryingTestClient(standby.awaitReady()).get("/ready").status())
                .isEqualTo(200);
    }

    @Test
    void leader_terminated_releasesTheLease() throws Exception {
        create("p0");
        awaitBound(1);
        leader.terminate();
        assertThat(leader.exitCode()).as(leader.err()).isZero();
        Instant released = Instant.now();
        create("p1");
        awaitBound(2);
        printFailover("leader terminated", released.minusSeconds(ReplicaCluster.LEASE_SECONDS));
    }

    @Test
    void leader_stoppedThroughFailover_writesAndBindsNothingWhenItContinues() throws Exception {
        create("p0", "p1");
        awaitBound(2);
        signal("STOP");
        Instant renewed = renewal();
        create("p2", "p3", "p4");
        awaitBound(5);
        printFailover("leader stopped", renewed);
        assertThat(standby.err()).contains("taking over postgresql:");
        AtomicReference<String> seen = new AtomicReference<>("");
        await("the journal is quiet")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofSeconds(2))
                .until(() -> journal().equals(seen.getAndSet(journal())));
        String before = journal();
        Instant continued = Instant.now();
        signal("CONT");
        assertThat(leader.exitCode()).as(leader.err()).isEqualTo(1);
        assertThat(leader.err()).contains("fatal error: ").doesNotContain("\tat ");
        assertThat(journal()).isEqualTo(before);
        List<ApiRequest> late = cluster.requests().stream()
                .filter(request -> ReplicaCluster.isOf("first", request)
                        && request.isWrite()
                        && request.received().isAfter(continued))
                .toList();
        assertThat(late).isEmpty();
        System.out.println("replicas: "
                + leader.err()
                        .lines()
                        .filter(line -> line.contains("fatal error"))
                        .toList());
    }

    private void signal(String name) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("kill", "-" + name, String.valueOf(leader.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    @Test
    void leader_withoutApiServer_endsAndAnotherContinues() throws Exception {
        create("p0");
        awaitBound(1);
        Files.createFile(cluster.hold());
        cluster.killApiServer();
        assertThat(leader.exitCode()).as(leader.err()).isEqualTo(1);
        assertThat(leader.err()).contains("the lease sluice was not renewed for ");
        Files.delete(cluster.hold());
        await().atMost(PATIENCE).until(cluster::isReady);
        create("p1");
        awaitBound(2);
    }

    @Test
    void leader_thatLosesItsLeaseDuringTheStart_endsWithTheReason() throws Exception {
        try (Connection connection =
                        DriverManager.getConnection(cluster.database().jdbcUrl());
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            leader.kill();
            statement.execute("LOCK TABLE writer");
            await().atMost(PATIENCE).until(() -> standby.err().contains("lease acquired"));
            Files.createFile(cluster.hold());
            cluster.killApiServer();
            await().atMost(PATIENCE).until(() -> standby.err().contains("lease lost"));
            connection.rollback();
        }
        assertThat(standby.exitCode()).as(standby.err()).isEqualTo(1);
        assertThat(standby.err())
                .contains("the lease was lost during the start: start the server again")
                .doesNotContain("internal error", "\tat ");
        Files.delete(cluster.hold());
        await().atMost(PATIENCE).until(cluster::isReady);
    }

    @Test
    void standby_answersHealthAndNamesTheLeader() throws Exception {
        RetryingTestClient client = new RetryingTestClient(standby.standbyPort());
        assertThat(client.get("/health").json().get("status").asString()).isEqualTo("standby");
        assertThat(client.get("/ready").status()).isEqualTo(503);
        await("the standby has read the lease").atMost(PATIENCE).untilAsserted(() -> {
            RetryingTestClient.TestResponse other = client.get("/partitions");
            assertThat(other.status()).isEqualTo(503);
            assertThat(other.text()).contains("this server is on standby: the leader is ");
        });
        standby.terminate();
        assertThat(standby.exitCode()).as(standby.err()).isZero();
    }
}
