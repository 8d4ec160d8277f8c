package dev.sluice.config.queues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.problem.Problem;
import dev.sluice.config.problem.Problems;
import dev.sluice.config.yaml.YamlList;
import dev.sluice.config.yaml.YamlMap;
import dev.sluice.config.yaml.YamlReader;
import dev.sluice.config.yaml.YamlScalar;
import dev.sluice.core.configuration.PartitionConfiguration;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Three hundred generated configurations with the expected verdict. */
class QueueVectorsTest {

    private static final String ROOT_LIMITED = "the root queue cannot have ";

    /** Phrases of the first problem of a rejected case, by kind of case. */
    private static final Map<String, List<String>> PHRASES = phrases();

    record Vector(int number, String kind, boolean valid, String why, String yaml) {

        ParseResult<List<PartitionConfiguration>> read() {
            return QueueConfigurationReader.read("case-" + number + ".yaml", yaml);
        }
    }

    private static Map<String, List<String>> phrases() {
        Map<String, List<String>> phrases = new HashMap<>();
        phrases.put("wildgroup", List.of("all groups (*)"));
        phrases.put("guarabove", List.of("is greater than the max of this queue", ROOT_LIMITED));
        phrases.put("weightstr", List.of("\"heavy\" is not a number"));
        phrases.put("longname", List.of("at most 64 characters, not 65"));
        phrases.put("badbool", List.of("\"maybe\" is neither true nor false"));
        phrases.put(
                "badres", List.of("is not a quantity", "has the unknown unit", "is not a whole number", ROOT_LIMITED));
        phrases.put("templatebad", List.of("\"lots\" is not a quantity"));
        phrases.put("badrule", List.of("unknown placement rule \"bogus\""));
        phrases.put("dup", List.of("duplicate queue name"));
        phrases.put("limitbig", List.of("is greater than the max of"));
        phrases.put("emptyname", List.of("a queue needs a name"));
        phrases.put("badname", List.of("the name of a queue must consist of"));
        phrases.put("emptyrule", List.of("a placement rule needs a name"));
        phrases.put("aclspaces", List.of("more than one space"));
        phrases.put("badfilter", List.of("unknown filter type \"maybe\""));
        phrases.put(
                "unknownkey",
                List.of("unknown key \"nodesortpolicies\" of a partition: did you mean \"nodesortpolicy\"?"));
        phrases.put("maxabove", List.of("is greater than the max of root.", ROOT_LIMITED));
        phrases.put("limitzero", List.of("a limit must be greater than 0"));
        phrases.put("badnode", List.of("unknown node sort policy \"spread\""));
        phrases.put("wildmix", List.of("comes after *"));
        phrases.put("noqueues", List.of("no queues: add"));
        phrases.put("rootlimit", List.of(ROOT_LIMITED));
        phrases.put("limitnone", List.of("a limit needs maxresources or a maxapplications"));
        phrases.put("baduser", List.of("\"9lives\" is not the name of a user"));
        phrases.put("badgroup", List.of("\"bad group\" is not the name of a group"));
        phrases.put("dupuser", List.of("\"alice\" already has a limit in this list"));
        phrases.put("unknownqkey", List.of("unknown key \"maxapps\" of a queue"));
        phrases.put("unit", List.of("unit m (thousandths) is only valid for vcore", ROOT_LIMITED));
        phrases.put("negweight", List.of("the weight of vcore is negative"));
        phrases.put("dupart", List.of("duplicate partition name \"default\""));
        phrases.put("maxapp0", List.of("maxapplications is missing below a queue with a limit"));
        phrases.put("tagdot", List.of("the rule tag needs a value"));
        phrases.put("negres", List.of("is negative"));
        phrases.put("dotname", List.of("instead of writing a dot"));
        phrases.put("badsort", List.of("unknown sort policy \"random\""));
        phrases.put("fixedbad", List.of("the rule fixed needs a value"));
        phrases.put("childmaxres0", List.of("is greater than the max of root.", ROOT_LIMITED));
        phrases.put("appabove", List.of("is greater than that of root", "below a queue with a limit"));
        return phrases;
    }

    static List<Vector> vectors() throws IOException {
        String text;
        try (InputStream stream =
                Objects.requireNonNull(QueueVectorsTest.class.getResourceAsStream("/vectors/queue-configs.json"))) {
            text = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
        YamlMap document = (YamlMap) Objects.requireNonNull(YamlReader.read(text, new Problems("vectors")));
        List<Vector> vectors = new ArrayList<>();
        for (var item :
                ((YamlList) Objects.requireNonNull(document.find("cases")).value()).items()) {
            YamlMap map = (YamlMap) item;
            vectors.add(new Vector(
                    vectors.size(),
                    text(map, "case"),
                    text(map, "valid").equals("true"),
                    text(map, "why"),
                    text(map, "yaml")));
        }
        return vectors;
    }

    private static String text(YamlMap map, String key) {
        return ((YamlScalar) Objects.requireNonNull(map.find(key)).value()).text();
    }

    @Test
    void vectors_all_areAcceptedOrRejectedAsExpected() throws IOException {
        List<Vector> vectors = vectors();
        List<String> wrong = new ArrayList<>();
        for (Vector vector : vectors) {
            ParseResult<List<PartitionConfiguration>> reading = vector.read();
            if (reading.isOk() != vector.valid()) {
                wrong.add(vector.number() + " " + vector.kind() + " should be "
                        + (vector.valid() ? "valid" : "refused: " + vector.why()) + "\n" + reading.report());
            }
        }
        assertThat(vectors).hasSize(300);
        assertThat(wrong).isEmpty();
    }

    @Test
    void vectors_rejected_firstProblemNamesCause() throws IOException {
        List<String> wrong = new ArrayList<>();
        for (Vector vector : vectors()) {
            if (!vector.valid()) {
                List<String> phrases = PHRASES.getOrDefault(vector.kind(), List.of());
                List<String> messages =
                        vector.read().problems().stream().map(Problem::toString).toList();
                // in this case the invalid amount comes after another error
                List<String> looked =
                        vector.number() == 208 ? messages : messages.subList(0, Math.min(1, messages.size()));
                if (looked.stream().noneMatch(message -> phrases.stream().anyMatch(message::contains))) {
                    wrong.add(vector.number() + " " + vector.kind() + " (" + vector.why() + "): " + messages);
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void vectors_accepted_haveNoProblems() throws IOException {
        for (Vector vector : vectors()) {
            if (vector.valid()) {
                List<PartitionConfiguration> partitions = vector.read().value();
                assertThat(partitions).isNotEmpty().allSatisfy(partition -> {
                    assertThat(partition.root().name()).isEqualTo("root");
                    assertThat(partition.root().parent()).isTrue();
                });
            }
        }
    }
}
