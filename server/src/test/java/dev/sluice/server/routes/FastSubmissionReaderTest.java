package dev.sluice.server.routes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.snapshot.ApplicationEntry;
import dev.sluice.config.snapshot.ServerSubmissionReader;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.QueueConfiguration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The fast path reads exactly what the job file reader reads, and nothing that it refuses. */
final class FastSubmissionReaderTest {

    private static final List<PartitionConfiguration> PARTITIONS = List.of(PartitionConfiguration.of(
            "default", QueueConfiguration.parent("root", QueueConfiguration.leaf("a"), QueueConfiguration.leaf("b"))));

    private static final String ID = "made-up";

    private static @Nullable ApplicationSpec fastPath(String text) {
        return new FastSubmissionReader(new ValueInterner(), path -> path.equals("root.a") || path.equals("root.b"))
                .read(text, ID);
    }

    private static ParseResult<ApplicationEntry> jobFileReader(String text) {
        return ServerSubmissionReader.application("body", text, ID, Instant.EPOCH, PARTITIONS);
    }

    @Test
    void submission_common_isReadByFastPath() {
        String text = """
                {"id":"etl","name":"nightly","queue":"ROOT.a","user":"eve","groups":["g"],"tags":{"k":"v"},"tag":"t","basis":"b",
                 "sealed":true,"onfailure":"stop","tasks":[
                  {"id":"x","count":20,"resources":{"vcore":"500m","memory":"1Gi","gpu":2},"priority":-3,"expectedduration":"5m",
                   "durationkey":"k","labels":{"disk":"ssd"},"requirednode":"n","retries":2,"lostretries":0,"timeout":"1h",
                   "command":["run","--fast"],"env":{"A":"1"},"directory":"/tmp"},
                  {"id":"y","command":"echo hi"}]}
                """;

        ApplicationSpec spec = fastPath(text);

        assertThat(spec).isNotNull().isEqualTo(jobFileReader(text).value().spec());
        assertThat(fastPath("{}")).isEqualTo(jobFileReader("{}").value().spec());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "{",
                "{}{}",
                "{\"id\":1}",
                "{\"id\":\"\"}",
                "{\"id\":\"a\",\"id\":\"b\"}",
                "{\"id\":\"ä\"}",
                "{\"queue\":\"root.c\"}",
                "{\"queue\":\"root\"}",
                "{\"basis\":\"b\"}",
                "{\"sealed\":\"yes\"}",
                "{\"partition\":\"default\"}",
                "{\"tasks\":{}}",
                "{\"tasks\":[1]}",
                "{\"tasks\":[{}]}",
                "{\"tasks\":[{\"id\":\"a\",\"cuont\":3}]}",
                "{\"tasks\":[{\"id\":\"a\",\"count\":0}]}",
                "{\"tasks\":[{\"id\":\"a\",\"priority\":1,\"priority\":2}]}",
                "{\"tasks\":[{\"id\":\"a\",\"labels\":{\"k\":\"1\",\"k\":\"2\"}}]}",
                "{\"tags\":{\"k\":\"1\",\"k\":\"2\"}}",
                "{\"tasks\":[{\"id\":\"a\",\"count\":99999999999}]}",
                "{\"tasks\":[{\"id\":\"a\",\"count\":1.5}]}",
                "{\"tasks\":[{\"id\":\"a\"},{\"id\":\"a\"}]}",
                "{\"tasks\":[{\"id\":\"a\",\"count\":3},{\"id\":\"a-1\"}]}",
                "{\"tasks\":[{\"id\":\"a\",\"resources\":{\"vcore\":\"x\"}}]}",
                "{\"tasks\":[{\"id\":\"a\",\"resources\":{\"slots\":1}}]}",
                "{\"tasks\":[{\"id\":\"a\",\"resources\":{\"vcore\":-1}}]}",
                "{\"tasks\":[{\"id\":\"a\",\"resources\":{\"vcore\":1,\"vcore\":2}}]}",
                "{\"tasks\":[{\"id\":\"a\",\"timeout\":\"0s\"}]}",
                "{\"tasks\":[{\"id\":\"a\",\"timeout\":\"soon\"}]}",
                "{\"tasks\":[{\"id\":\"a\",\"env\":{\"A\":\"1\"}}]}",
                "{\"tasks\":[{\"id\":\"a\",\"command\":[]}]}",
                "{\"tasks\":[{\"id\":\"a\",\"command\":\" \"}]}",
                "{\"tasks\":[{\"id\":\"a\",\"after\":{\"b\":\"started\"}}]}",
                "{\"tasks\":[{\"id\":\"a\",\"state\":\"running\"}]}"
            })
    void submission_uncommon_fallsBack(String text) {
        assertThat(fastPath(text)).isNull();
    }

    /** Valid and invalid values for every key, in random combinations. */
    @Test
    void submission_random_isReadEquallyOrFallsBack() {
        int quick = 0;
        for (long seed = 0; seed < 4000; seed++) {
            String text = new Documents(new Random(seed)).application();
            ApplicationSpec spec = fastPath(text);
            if (spec != null) {
                quick++;
                ParseResult<ApplicationEntry> reading = jobFileReader(text);
                assertThat(reading.problems()).as("seed %d: %s", seed, text).isEmpty();
                assertThat(reading.value().spec()).as("seed %d: %s", seed, text).isEqualTo(spec);
            }
        }
        assertThat(quick).isBetween(400, 3600);
    }

    /** Random documents. */
    private static final class Documents {

        private static final List<String> NAMES = List.of(
                "\"a\"",
                "\"b c\"",
                "\"t-1\"",
                "\"null\"",
                "\"true\"",
                "\"1\"",
                "\"~\"",
                "\"2026-01-01\"",
                "\"0x10\"",
                "\" x\"",
                "\"x \"",
                "\"#\"",
                "\"a: b\"",
                "\"'\"",
                "\"\\\"\"",
                "\"\\u00e4\"",
                "\"\\u0000\"",
                "\"\"",
                "\"\\n\"",
                "7",
                "null",
                "true");
        private static final List<String> AMOUNTS = List.of(
                "1",
                "2",
                "\"500m\"",
                "\"1Gi\"",
                "\"512M\"",
                "\"1e3\"",
                "1e3",
                "1.5",
                "\"1.5\"",
                "-1",
                "\" 1\"",
                "\"9999999999999999999\"",
                "true",
                "null",
                "\"0\"",
                "\"007\"",
                "9223372036854775807");
        private static final List<String> DURATIONS = List.of(
                "\"5m\"",
                "\"1h\"",
                "\"0s\"",
                "\"90\"",
                "90",
                "\"1h30m\"",
                "\"-1s\"",
                "\"soon\"",
                "\"\"",
                "\"5 m\"",
                "null");
        private static final List<String> COUNTS =
                List.of("1", "3", "20", "0", "-1", "\"3\"", "1.0", "10000001", "null", "1e1");

        private final Random random;

        Documents(Random random) {
            this.random = random;
        }

        private String one(List<String> of) {
            // mostly the valid ones, which come first
            int bound = random.nextInt(8) == 0 ? of.size() : Math.min(of.size(), 3);
            return of.get(random.nextInt(bound));
        }

        private String fields(List<String> fields) {
            List<String> some = new ArrayList<>();
            for (String field : fields) {
                if (random.nextInt(3) > 0) {
                    some.add(field);
                }
            }
            Collections.shuffle(some, random);
            if (!some.isEmpty() && random.nextInt(40) == 0) {
                some.add(some.get(0));
            }
            return "{" + String.join(",", some) + "}";
        }

        private String map() {
            return fields(List.of("\"k\":" + one(NAMES), "\"l m\":" + one(NAMES)));
        }

        String application() {
            List<String> tasks = new ArrayList<>();
            for (int i = random.nextInt(4); i > 0; i--) {
                tasks.add(task(i));
            }
            return fields(List.of(
                    "\"id\":" + one(NAMES),
                    "\"name\":" + one(NAMES),
                    "\"queue\":"
                            + one(List.of(
                                    "\"root.a\"", "\"ROOT.B\"", "\"root.a\"", "\"root\"", "\"a\"", "\"\"", "null")),
                    "\"user\":" + one(NAMES),
                    "\"groups\":[" + one(NAMES) + "]",
                    "\"tags\":" + map(),
                    "\"tag\":" + one(NAMES),
                    "\"sealed\":" + one(List.of("true", "false", "true", "\"true\"", "1", "null")),
                    "\"onfailure\":"
                            + one(List.of("\"stop\"", "\"continue\"", "\"stop\"", "\"Stop\"", "\"x\"", "null")),
                    "\"tasks\":[" + String.join(",", tasks) + "]"));
        }

        private String task(int number) {
            String rest = fields(List.of(
                    "\"count\":" + one(COUNTS),
                    "\"resources\":{\"vcore\":" + one(AMOUNTS) + ",\"memory\":" + one(AMOUNTS) + "}",
                    "\"priority\":" + one(List.of("1", "0", "-5", "2147483648", "1.5", "\"1\"", "null")),
                    "\"expectedduration\":" + one(DURATIONS),
                    "\"durationkey\":" + one(NAMES),
                    "\"labels\":" + map(),
                    "\"requirednode\":" + one(NAMES),
                    "\"retries\":" + one(COUNTS),
                    "\"lostretries\":" + one(COUNTS),
                    "\"timeout\":" + one(DURATIONS),
                    "\"command\":"
                            + one(List.of(
                                    "\"echo\"", "[\"a\",\"b\"]", "\"x y\"", "[]", "[\"\"]", "[1]", "\"\"", "null"))));
            String id = random.nextInt(20) == 0 ? "t-" + random.nextInt(3) : "u" + number;
            return "{\"id\":\"" + id + "\"" + (rest.length() > 2 ? "," : "") + rest.substring(1);
        }
    }
}
