package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A reservation of a gang over REST: partition, reasons, metrics, events. */
final class ReservationRoutesTest {

    private static final String PARTITION = "/partitions/default";
    private static final String APPLICATIONS = PARTITION + "/applications";

    // root, reservations at once
    //  ├─ batch
    //  └─ small
    private static final String QUEUES = "partitions: [{name: default, queues: [{name: root, properties:"
            + " {reservation.delay: 0s}, queues: [{name: batch}, {name: small}]}]}]";

    private TestDaemon daemon;
    private TestHttpClient client;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        daemon = TestDaemon.start(DaemonSettings.in(folder));
        client = daemon.client();
        ok(client.send("PUT", "/configuration", QUEUES, TestHttpClient.YAML));
        for (String node : List.of("n-1", "n-2")) {
            created(PARTITION + "/nodes", "{\"name\": \"" + node + "\", \"capacity\": {\"gpu\": \"1\"}}");
        }
    }

    @AfterEach
    void close() {
        daemon.close();
    }

    private static Reply ok(Reply reply) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply;
    }

    private void created(String path, String body) {
        Reply reply = client.post(path, body);
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
    }

    private void submit(String id, String queue, String task, String gang) {
        created(
                APPLICATIONS,
                "{\"id\": \"" + id + "\", \"queue\": \"" + queue + "\", \"sealed\": true" + gang
                        + ", \"tasks\": [{\"resources\": {\"gpu\": \"1\"}, " + task + "}]}");
    }

    private JsonNode reservations() {
        return ok(client.get(PARTITION)).json().get("reservations");
    }

    private void awaitReason(String application, String code) {
        await().atMost(Duration.ofSeconds(20))
                .until(() -> ok(client.get(APPLICATIONS + "/" + application + "/why"))
                        .at("/reasons/0/code")
                        .equals(code));
    }

    private void awaitMetrics(String... lines) {
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(
                        () -> assertThat(client.get("//metrics").text().lines()).contains(lines));
    }

    private List<JsonNode> events(String type) {
        List<JsonNode> found = new ArrayList<>();
        for (JsonNode event : ok(client.get("/events?limit=1000")).json().get("items")) {
            if (event.get("type").asString().equals(type)) {
                found.add(event);
            }
        }
        return found;
    }

    /** A run with a time limit keeps a gang of two from starting, whose second node is free until then. */
    @Test
    void reservation_ofGang_isShownEverywhere() throws Exception {
        submit("long", "root.batch", "\"id\": \"t\", \"timeout\": \"1h\"", "");
        await().atMost(Duration.ofSeconds(20))
                .until(() ->
                        client.get(APPLICATIONS + "/long/tasks/t").at("/state").equals("starting"));
        ok(
                client.post(
                        PARTITION + "/reports",
                        "{\"reports\": [{\"application\": \"long\", \"task\": \"t\", \"attempt\": 1, \"status\": \"started\"}]}"));
        Instant before = Instant.now();
        submit("gang", "root.batch", "\"id\": \"w\", \"count\": 2", ", \"gang\": {\"tasks\": {\"w\": 2}}");
        awaitReason("gang", "has-reservation");

        assertThat(reservations()).hasSize(1);
        JsonNode reservation = reservations().get(0);
        assertThat(reservation.get("application").asString()).isEqualTo("gang");
        assertThat(reservation.get("task").asString()).isEqualTo("w-0");
        assertThat(reservation.get("queue").asString()).isEqualTo("root.batch");
        assertThat(reservation.get("nodes").valueStream().map(JsonNode::asString))
                .containsExactlyInAnyOrder("n-1", "n-2");
        Instant since = Instant.parse(reservation.get("since").asString());
        assertThat(since).isBetween(before, Instant.now());
        assertThat(Instant.parse(reservation.get("start").asString()))
                .isBetween(before.plusSeconds(3500), since.plusSeconds(3600));
        assertThat(reservation.get("delays").asInt()).isZero();

        JsonNode own = ok(client.get(APPLICATIONS + "/gang/why")).json().at("/reasons/0/reservation");
        assertThat(own.get("nodes")).isEqualTo(reservation.get("nodes"));
        assertThat(own.get("start")).isEqualTo(reservation.get("start"));
        assertThat(own.has("application")).isFalse();

        submit("late", "root.small", "\"id\": \"t\"", "");
        awaitReason("late", "reserved-for");
        JsonNode other = ok(client.get(APPLICATIONS + "/late/why")).json().at("/reasons/0/reservation");
        String used = ok(client.get(APPLICATIONS + "/long/tasks/t")).at("/node");
        assertThat(other.get("nodes")).hasToString(used.equals("n-1") ? "[\"n-2\"]" : "[\"n-1\"]");
        assertThat(other.get("start")).isEqualTo(reservation.get("start"));
        assertThat(other.get("application").asString()).isEqualTo("gang");
        assertThat(other.get("task").asString()).isEqualTo("w-0");
        awaitMetrics(
                "sluice_reservations{partition=\"default\",queue=\"root.batch\"} 2.0",
                "sluice_reservations_made_total 1.0",
                "sluice_reservations_ended_total{reason=\"withdrawn\"} 0.0");

        try (StreamReader stream = new StreamReader(daemon.port(), "?after=0&type=reservation", "")) {
            ok(client.post(APPLICATIONS + "/gang/cancel", "{}"));
            await().until(() -> stream.types().contains("reservation.ended"));
            assertThat(stream.types()).containsExactly("reservation.made", "reservation.ended");
        }
        JsonNode made = events("reservation.made").get(0).get("data");
        assertThat(made.get("application").asString()).isEqualTo("gang");
        assertThat(made.get("queue").asString()).isEqualTo("root.batch");
        assertThat(made.get("nodes")).isEqualTo(reservation.get("nodes"));
        assertThat(made.get("start")).isEqualTo(reservation.get("start"));
        assertThat(made.get("delays").asInt()).isZero();
        assertThat(events("reservation.ended").get(0).at("/data/reason").asString())
                .isEqualTo("withdrawn");

        await().until(() ->
                client.get(APPLICATIONS + "/late/tasks/t").at("/state").equals("starting"));
        assertThat(reservations()).isEmpty();
        awaitMetrics("sluice_reservations_ended_total{reason=\"withdrawn\"} 1.0");
        await().until(() -> !client.get("//metrics").text().contains("sluice_reservations{"));
    }
}
