package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Contract tests of the routes that submit applications and tasks, including every problem type they declare. */
abstract class SubmissionRoutesContract extends RoutesFixture {

    @Test
    void submission_invalid_isRefusedWithLocations() {
        Reply typo = expect(
                422,
                "invalid",
                client.send("POST", APPLICATIONS, "id: x\ntasks:\n- {id: t, comand: a}", TestHttpClient.YAML));
        assertThat(typo.at("/locations/0/line")).isEqualTo("3");
        assertThat(typo.at("/locations/0/column")).isEqualTo("11");
        Reply json = expect(422, "invalid", client.post(APPLICATIONS, "{\"id\": \"x\",\n  \"queue\": [1"));
        assertThat(json.at("/locations/0/line")).isNotEqualTo("0");
        expect(404, "not-found", client.post("/partitions/none/applications", waiting("x", 1)));
        expect(404, "not-found", client.post(APPLICATIONS + "/none/hold", ""));
        expect(404, "not-found", client.post(APPLICATIONS + "/none/release", ""));
        expect(201, "", client.post(APPLICATIONS, waiting("twice", 1)));
        expect(409, "duplicate", client.post(APPLICATIONS, waiting("twice", 1)));
        for (String tag : new String[] {"v1", "v2"}) {
            String body = "{\"id\": \"" + tag + "\", \"queue\": \"root.sandbox\", \"basis\": \"b\", \"tag\": \"" + tag
                    + "\"}";
            expect(201, "", client.post(APPLICATIONS, body));
        }
        String superseded = "{\"id\": \"v3\", \"queue\": \"root.sandbox\", \"basis\": \"b\", \"tag\": \"v1\"}";
        expect(409, "conflict", client.post(APPLICATIONS, superseded));
        expect(
                201,
                "",
                client.send("POST", APPLICATIONS, waiting("keyed", 1), TestHttpClient.JSON, "Idempotency-Key", "k"));
        expect(
                409,
                "key-reused",
                client.send("POST", APPLICATIONS, waiting("other", 1), TestHttpClient.JSON, "Idempotency-Key", "k"));
        expect(
                422,
                "too-much",
                client.post(
                        APPLICATIONS,
                        "{\"id\": \"huge\", \"queue\": \"root.sandbox\", "
                                + tooMany().substring(1)));
    }

    @Test
    void submission_dryRun_answersWhatWouldHappenAndSubmitsNothing() {
        String jobs = "{\"id\": \"dry\", \"queue\": \"root.sandbox\", \"tasks\": [{\"id\": \"t\", \"command\": \"ls\"},"
                + " {\"id\": \"big\", \"command\": \"ls\", \"resources\": {\"vcore\": 99999}}]}";

        Reply one = ok(client.post(APPLICATIONS + "?dryRun=true", jobs));
        assertThat(one.text()).contains("\"never\":true");
        assertThat(one.at("/warnings/0/message")).startsWith("no node");
        Reply file = ok(client.post("/submissions?dryRun=true", jobs));
        assertThat(file.text()).contains("\"never\":true");
        assertThat(file.at("/warnings/0/line")).isEqualTo("1");
        Reply strict = expect(422, "invalid", client.post(APPLICATIONS + "?strict=true", jobs));
        assertThat(strict.at("/detail")).startsWith("nothing submitted because of warnings (strict): no node");
        expect(404, "not-found", client.get(APPLICATIONS + "/dry"));
        expect(404, "not-found", client.post("/partitions/none/applications?dryRun=true", jobs));
        Reply again = ok(client.post("/submissions?dryRun=true", waiting("fresh", 1)));
        assertThat(again.at("/accepted")).isEqualTo("1");
    }

    /** The copy is made from a snapshot, which has neither ended applications nor numbers. */
    @Test
    void submission_dryRun_knowsEndedApplicationsAndNumbers() {
        String numbered = waiting("?", 1).replace("\"id\": \"?\"", "\"name\": \"dry-night\"");
        for (String id : List.of("dry-night-1", "dry-night-2")) {
            assertThat(expect(201, "", client.post(APPLICATIONS, numbered)).at("/id"))
                    .isEqualTo(id);
            ok(client.post(APPLICATIONS + "/" + id + "/cancel", ""));
        }
        expect(204, "", client.delete(APPLICATIONS + "/dry-night-1"));

        assertThat(ok(client.post(APPLICATIONS + "?dryRun=true", numbered)).at("/id"))
                .isEqualTo("dry-night-3");
        String two = "{\"applications\": [" + numbered + ", " + numbered + "]}";
        assertThat(ok(client.post("/submissions?dryRun=true", two)).at("/results/1/id"))
                .isEqualTo("dry-night-4");
        expect(409, "duplicate", client.post(APPLICATIONS + "?dryRun=true", waiting("dry-night-2", 1)));
        for (String after : List.of("dry-night", "dry-night-2")) {
            String path = "/submissions?dryRun=true&after=" + after;
            Reply ended = ok(client.post(path + ":ended", waiting("dry-after", 1)));
            assertThat(ended.at("/results/0/state")).as(ended.text()).isEqualTo("Accepted");
            Reply failed = ok(client.post(path, waiting("dry-after", 1)));
            assertThat(failed.at("/results/0/state")).as(failed.text()).isEqualTo("Failed");
        }
        Reply unknown = ok(client.post("/submissions?dryRun=true&after=dry-night-1", waiting("dry-after", 1)));
        assertThat(unknown.at("/results/0/problem/detail")).contains("application dry-night-1 not found");
        assertThat(expect(201, "", client.post(APPLICATIONS, numbered)).at("/id"))
                .isEqualTo("dry-night-3");
    }

    @Test
    void submission_matchingNoPlacementRule_isRejected() {
        String nowhere = "{\"queue\": \"root.nowhere\"}";
        Reply unknown = expect(422, "invalid", client.post(APPLICATIONS, nowhere));
        assertThat(unknown.at("/locations/0/path")).isEqualTo("queue");
        ok(client.put("/partitions/default/requestors", "{\"requestors\": {\"root.shared.land\": \"land.*\"}}"));
        Reply rejected = expect(200, "", client.post(APPLICATIONS, nowhere));
        assertThat(rejected.at("/accepted")).isEqualTo("false");
        assertThat(rejected.at("/state")).isEqualTo("Rejected");
        assertThat(rejected.at("/reason")).contains("queue root.nowhere not found");
        Reply file = ok(client.send(
                "POST", "/submissions", "applications: [{id: lost, queue: root.nowhere}]", TestHttpClient.YAML));
        assertThat(file.at("/accepted")).isEqualTo("0");
        assertThat(file.at("/refused")).isEqualTo("1");
        assertThat(file.at("/results/0/accepted")).isEqualTo("false");
    }

    @Test
    void jobFile_submitted_hasResultPerApplication() {
        String file = """
                applications:
                - {id: f-1, queue: root.sandbox, tasks: [{id: t, command: 'true'}]}
                - {id: f-2, queue: root.sandbox, tasks: [{id: t, command: 'true'}]}
                """;
        Reply first = ok(client.send("POST", "/submissions?file=jobs.yaml", file, TestHttpClient.YAML));
        assertThat(first.at("/accepted")).isEqualTo("2");
        Reply again = ok(client.send("POST", "/submissions", file, TestHttpClient.YAML));
        assertThat(again.at("/refused")).isEqualTo("2");
        assertThat(again.at("/results/1/problem/type")).endsWith("duplicate");
        Reply wrong =
                expect(422, "invalid", client.send("POST", "/submissions", "applications: [{", TestHttpClient.YAML));
        assertThat(wrong.json().at("/locations/0/line").asInt()).isPositive();
        String other = file.replace("f-", "g-");
        ok(client.send("POST", "/submissions", other, TestHttpClient.YAML, "Idempotency-Key", "files"));
        Reply reused = client.send("POST", "/submissions", file, TestHttpClient.YAML, "Idempotency-Key", "files");
        expect(409, "key-reused", reused);
    }

    @Test
    void jobFile_withoutId_isNumbered() {
        String file = "queue: root.sandbox\ntasks: [{id: t, nodeSelector: {no: node}}]\n";
        String path = "/submissions?file=d/numbered.yaml";

        Reply first = ok(client.send("POST", path, file, TestHttpClient.YAML, "Idempotency-Key", "numbered"));
        Reply same = ok(client.send("POST", path, file, TestHttpClient.YAML, "Idempotency-Key", "numbered"));
        Reply next = ok(client.send("POST", path, file, TestHttpClient.YAML));
        Reply named = ok(client.send("POST", path + "&name=other", file, TestHttpClient.YAML));
        Reply given = ok(client.send("POST", path + "&id=given&name=other", file, TestHttpClient.YAML));

        assertThat(first.at("/results/0/id")).isEqualTo("numbered-1");
        assertThat(same.at("/results/0/id")).isEqualTo("numbered-1");
        assertThat(next.at("/results/0/id")).isEqualTo("numbered-2");
        assertThat(named.at("/results/0/id")).isEqualTo("other-1");
        assertThat(given.at("/results/0/id")).isEqualTo("given");
        assertThat(ok(client.get(APPLICATIONS + "/given")).at("/name")).isEqualTo("other");
        String body = "{\"name\": \"other\", \"queue\": \"root.sandbox\"}";
        assertThat(expect(201, "", client.post(APPLICATIONS, body)).at("/id")).isEqualTo("other-2");
        for (String id : List.of("numbered-1", "numbered-2", "other-1", "given", "other-2")) {
            ok(client.post(APPLICATIONS + "/" + id + "/cancel", ""));
        }
        String two = "applications: [{id: a1, tasks: [{id: t}]}, {id: a2, tasks: [{id: t}]}]";
        assertThat(expect(422, "invalid", client.send("POST", "/submissions?id=x", two, TestHttpClient.YAML))
                        .at("/detail"))
                .isEqualTo("an id or name cannot be given for a file with 2 applications: write the ids and names into"
                        + " the file");
        expect(422, "invalid", client.send("POST", "/submissions?name=" + "x".repeat(257), file, TestHttpClient.YAML));
    }

    @Test
    void jobFile_repeatedWithRelativeStartTime_isSubmittedOnce() {
        String file = "id: relative\nqueue: root.sandbox\ntasks: [{id: t}]\n";
        String path = "/submissions?notBefore=%2B2h";

        Reply first = ok(client.send("POST", path, file, TestHttpClient.YAML, "Idempotency-Key", "relative"));
        Reply again = ok(client.send("POST", path, file, TestHttpClient.YAML, "Idempotency-Key", "relative"));

        assertThat(again.text()).isEqualTo(first.text());
        String other = "/submissions?notBefore=%2B3h";
        expect(409, "key-reused", client.send("POST", other, file, TestHttpClient.YAML, "Idempotency-Key", "relative"));
        ok(client.post("/submissions?notBefore=2100-01-01T02:00", waiting("in-utc", 1)));
        assertThat(ok(client.get(APPLICATIONS + "/in-utc")).at("/notBefore")).isEqualTo("2100-01-01T02:00:00Z");
    }

    /** The node with the label is registered after all submissions, so one cycle places all of them. */
    @Test
    void jobFile_submitted_startsInFileOrder() {
        String application = "- {id: %s, queue: root.sandbox, tasks: [{id: t, nodeSelector: {order: file}}]}\n";
        List<String> ids = List.of("o-z", "o-10", "o-2", "o-a");
        StringBuilder file = new StringBuilder("applications:\n");
        ids.forEach(id -> file.append(application.formatted(id)));
        ok(client.send("POST", "/submissions", file.toString(), TestHttpClient.YAML));
        String node = "{\"name\": \"ordered\", \"capacity\": {\"vcore\": \"16\"}, \"labels\": {\"order\": \"file\"}}";
        expect(201, "", client.post(NODES, node));
        client.awaitState("o-a", "Running");
        List<String> placed = new ArrayList<>();
        for (JsonNode event : ok(client.get("/events?last=100")).json().at("/items")) {
            String id = event.at("/data/application").asString("");
            if (event.at("/type").asString().equals("task.placed") && id.startsWith("o-")) {
                placed.add(id);
            }
        }
        assertThat(placed).isEqualTo(ids);
        ids.forEach(id -> ok(client.post(APPLICATIONS + "/" + id + "/cancel", "")));
        expect(204, "", client.delete(NODES + "/ordered"));
    }

    @Test
    void jobFile_withIneffectiveKeys_isAcceptedWithWarnings() {
        String file = "seed: 1\ntasks: [{id: t, command: 'true'}]\nid: warned\nqueue: root.sandbox\n";
        Reply reply = ok(client.send("POST", "/submissions?file=jobs.yaml", file, TestHttpClient.YAML));
        assertThat(reply.at("/accepted")).isEqualTo("1");
        assertThat(reply.json().at("/warnings")).hasSize(1);
        assertThat(reply.at("/warnings/0/message")).isEqualTo("seed has no effect here: the server has its own");
        assertThat(reply.at("/warnings/0/line")).isEqualTo("1");
        assertThat(reply.at("/warnings/0/path")).isEqualTo("seed");
        String fine = "id: fine\nqueue: root.sandbox\ntasks: [{id: t, command: 'true'}]\n";
        Reply without = ok(client.send("POST", "/submissions", fine, TestHttpClient.YAML));
        assertThat(without.json().has("warnings")).isFalse();
    }

    @Test
    void jobFile_unknownPartition_isRefused() {
        String file = "tasks: [{id: t, command: 'true'}]\nid: elsewhere\n";
        Reply refused = client.send("POST", "/submissions?partition=nowhere", file, TestHttpClient.YAML);
        expect(404, "not-found", refused);
        assertThat(refused.at("/detail")).isEqualTo("partition nowhere not found");
        Reply known = ok(client.send("POST", "/submissions?partition=default", file, TestHttpClient.YAML));
        assertThat(known.at("/results/0/partition")).isEqualTo("default");
    }

    @Test
    void submission_retriedAfterQueueRemoval_getsSameAnswer() {
        String withQueue = QUEUES.replace("- name: sandbox", "- name: sandbox\n          - name: brief");
        ok(client.send("PUT", "/configuration", withQueue, TestHttpClient.YAML));
        String one = "{\"id\": \"brief-1\", \"queue\": \"root.brief\"}";
        String file = "queue: root.brief\nid: brief-2\ntasks: [{id: t, nodeSelector: {never: here}}]";
        Reply first = client.send("POST", APPLICATIONS, one, TestHttpClient.JSON, "Idempotency-Key", "brief");
        Reply firstOfFile =
                ok(client.send("POST", "/submissions", file, TestHttpClient.YAML, "Idempotency-Key", "briefs"));
        assertThat(first.status()).as(first.text()).isEqualTo(201);
        ok(client.post(APPLICATIONS + "/brief-1/cancel", ""));
        ok(client.post(APPLICATIONS + "/brief-2/cancel", ""));
        ok(client.send("PUT", "/configuration", QUEUES, TestHttpClient.YAML));

        Reply again = client.send("POST", APPLICATIONS, one, TestHttpClient.JSON, "Idempotency-Key", "brief");
        Reply againOfFile = client.send("POST", "/submissions", file, TestHttpClient.YAML, "Idempotency-Key", "briefs");

        assertThat(again.status() + again.text()).isEqualTo("201" + first.text());
        assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
        assertThat(againOfFile.text()).isEqualTo(firstOfFile.text());
        for (String path : List.of(APPLICATIONS, "/submissions")) {
            String body = path.equals(APPLICATIONS) ? one : file;
            String key = path.equals(APPLICATIONS) ? "brief" : "briefs";
            String type = path.equals(APPLICATIONS) ? TestHttpClient.JSON : TestHttpClient.YAML;
            Reply dry = client.send("POST", path + "?dryRun=true", body, type, "Idempotency-Key", key);
            expect(422, "invalid", dry);
        }
        expect(
                422,
                "invalid",
                client.send("POST", APPLICATIONS, one, TestHttpClient.JSON, "Idempotency-Key", "unknown"));
    }

    @Test
    void tasks_addedTwiceWithSameKey_areAddedOnce() {
        expect(201, "", client.post(APPLICATIONS, waiting("grows", 1)));
        String path = APPLICATIONS + "/grows/tasks";
        String tasks = "{\"tasks\": [{\"id\": \"u\", \"nodeSelector\": {\"never\": \"here\"}}]}";
        Reply first = ok(client.send("POST", path, tasks, TestHttpClient.JSON, "Idempotency-Key", "grow"));

        Reply again = ok(client.send("POST", path, tasks, TestHttpClient.JSON, "Idempotency-Key", "grow"));

        assertThat(again.text()).isEqualTo(first.text());
        expect(409, "duplicate", client.send("POST", path, tasks, TestHttpClient.JSON, "Idempotency-Key", "grow-2"));
        expect(
                409,
                "key-reused",
                client.send("POST", path, tasks + " ", TestHttpClient.JSON, "Idempotency-Key", "grow"));
    }
}
