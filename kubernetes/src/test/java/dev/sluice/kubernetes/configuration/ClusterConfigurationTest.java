package dev.sluice.kubernetes.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.problem.Problem;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.PlacementRule;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.state.Partition;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Which config map counts, which of its entries have an effect, and how bad ones are refused. */
final class ClusterConfigurationTest {

    private static final String QUEUES = "partitions: [{name: default, queues: [{name: %s}]}]";

    private static ConfigMap map(String name, Map<String, String> entries) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("sluice")
                .withName(name)
                .endMetadata()
                .withData(entries)
                .build();
    }

    private static ConfigMap queues(String name, String queue) {
        return map(name, Map.of("queues.yaml", QUEUES.formatted(queue)));
    }

    private static List<String> warnings(ClusterConfiguration configuration) {
        return configuration.result().warnings().stream().map(Problem::toString).toList();
    }

    /** Returns the name of the queue below root that was read. */
    private static String queueOf(ClusterConfiguration configuration) {
        PartitionConfiguration partition = configuration.result().value().get(0);
        return partition.root().children().get(0).name();
    }

    @Test
    void withoutConfigMap_thereIsOneQueue() {
        ClusterConfiguration configuration = ClusterConfiguration.of(List.of(queues("other", "a")));
        assertThat(configuration.result().value()).containsExactly(PartitionConfiguration.simplest());
        assertThat(configuration.message())
                .isEqualTo("default configuration: no configmap sluice-config or yunikorn-configs");
    }

    @Test
    void defaultsOfTheChart_andOfYuniKorn_placePodsByNamespace_andJobFiles() throws IOException {
        Map<?, ?> values = (Map<?, ?>) new Load(LoadSettings.builder().build())
                .loadFromString(Files.readString(Path.of("chart", "values.yaml")));
        String queues = String.valueOf(((Map<?, ?>) Objects.requireNonNull(values.get("config"))).get("queues"));
        for (ConfigMap defaults :
                List.of(map("sluice-config", Map.of("queues.yaml", queues)), map("yunikorn-configs", Map.of()))) {
            Scheduler scheduler = new Scheduler();
            scheduler.handle(
                    new Command.ApplyConfiguration(
                            ClusterConfiguration.of(List.of(defaults)).result().value()),
                    Instant.EPOCH);
            ApplicationSpec job = ApplicationSpec.open("job", null);
            ApplicationSpec pods = ApplicationSpec.open("pods", null).withTags(Map.of("namespace", "team-a"));
            scheduler.handle(new Command.SubmitApplication("default", job), Instant.EPOCH);
            scheduler.handle(new Command.SubmitApplication("default", pods), Instant.EPOCH);
            Partition partition = Objects.requireNonNull(scheduler.state().partition("default"));
            assertThat(partition.existing("job").queue().path()).isEqualTo("root.default");
            assertThat(partition.existing("pods").queue().path()).isEqualTo("root.team-a");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "sluice-config,                    sluice-config",
        "yunikorn-configs,                 yunikorn-configs",
        "yunikorn-defaults,                yunikorn-defaults",
        "sluice-config yunikorn-configs,   sluice-config",
        "yunikorn-configs yunikorn-defaults, yunikorn-configs",
        "yunikorn-defaults yunikorn-configs, yunikorn-configs",
    })
    void severalConfigMaps_oneCounts(String present, String used) {
        List<ConfigMap> maps = List.of(present.split(" ")).stream()
                .map(each -> queues(each, each))
                .toList();
        ClusterConfiguration configuration = ClusterConfiguration.of(maps);
        assertThat(queueOf(configuration)).isEqualTo(used);
        assertThat(configuration.source()).isEqualTo("configmap sluice/" + used);
    }

    @Test
    void yunikornMap_besideSluiceMap_hasNoEffect() {
        ClusterConfiguration configuration =
                ClusterConfiguration.of(List.of(queues("yunikorn-configs", "y"), queues("sluice-config", "s")));
        assertThat(configuration.message()).isEqualTo("""
                configuration accepted: configmap sluice/sluice-config
                warning: configmap sluice/yunikorn-configs: has no effect: configmap sluice/sluice-config is used""");
    }

    @Test
    void defaultsOfHelm_completeTheEntries() {
        ClusterConfiguration configuration = ClusterConfiguration.of(
                List.of(queues("yunikorn-defaults", "helm"), map("yunikorn-configs", Map.of("log.level", "-1"))));
        assertThat(queueOf(configuration)).isEqualTo("helm");
        assertThat(configuration.source()).isEqualTo("configmap sluice/yunikorn-defaults");
        assertThat(warnings(configuration))
                .containsExactly("configmap sluice/yunikorn-configs: log.level has no effect in Sluice");
    }

    @Test
    void otherEntries_haveNoEffect() {
        ClusterConfiguration configuration = ClusterConfiguration.of(List.of(map(
                "yunikorn-configs",
                Map.of(
                        "queues.yaml", QUEUES.formatted("a"),
                        "service.schedulingInterval", "1s",
                        "kubernetes.qps", "1000",
                        "admissionController.filtering.bypassNamespaces", "^kube-system$",
                        "old.yaml", "partitions: []"))));
        assertThat(configuration.result().isOk()).isTrue();
        String where = "configmap sluice/yunikorn-configs: ";
        assertThat(warnings(configuration))
                .containsExactly(
                        where + "admissionController.filtering.bypassNamespaces has no effect in Sluice",
                        where + "kubernetes.qps has no effect in Sluice",
                        where + "old.yaml has no effect: queues.yaml is used; service.policyGroup names another one",
                        where + "service.schedulingInterval has no effect in Sluice");
    }

    @Test
    void policyGroup_namesTheEntry() {
        ClusterConfiguration configuration = ClusterConfiguration.of(List.of(map(
                "yunikorn-configs", Map.of("service.policyGroup", "group_b", "group_b.yaml", QUEUES.formatted("b")))));
        assertThat(queueOf(configuration)).isEqualTo("b");
        assertThat(warnings(configuration)).isEmpty();
    }

    @Test
    void yunikornMap_withoutQueues_hasOneQueueForEachNamespace() {
        ClusterConfiguration configuration =
                ClusterConfiguration.of(List.of(map("yunikorn-configs", Map.of("log.level", "0"))));
        PartitionConfiguration partition = configuration.result().value().get(0);
        assertThat(partition.root().children()).isEmpty();
        assertThat(partition.root().submitAcl()).isEqualTo("*");
        assertThat(partition.placementRules()).first().satisfies(rule -> {
            assertThat(rule.kind()).isEqualTo(PlacementRule.Kind.TAG);
            assertThat(rule.value()).isEqualTo("namespace");
            assertThat(rule.create()).isTrue();
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "queues.yaml | partitions: [{name: default, queues: [{nam: a}]}]"
                        + " | , queues.yaml:1:39: a queue needs a name",
                "queues.yaml | 'partitions: ['" + " | , queues.yaml:1:14: ",
                "queues.yaml | '' | , queues.yaml: ",
                "queues.yaml | partitions: [{name: gpu, queues: [{name: root}]}]"
                        + " | , queues.yaml: no partition default: add it, since nodes and pods of the cluster are in it",
                "queue.yaml  | partitions: [] | : no entry queues.yaml: add it with the text of a queue configuration",
                "service.policyGroup | b | : no entry b.yaml, which service.policyGroup names: add it",
            })
    void badConfiguration_isRefusedAsAWhole(String key, String text, String problem) {
        ClusterConfiguration configuration = ClusterConfiguration.of(List.of(
                map("sluice-config", Map.of(Objects.requireNonNull(key), text)), queues("yunikorn-configs", "y")));
        assertThat(configuration.result().valueOrNull()).isNull();
        assertThat(configuration.message())
                .startsWith("configuration refused: configmap sluice/sluice-config" + problem);
    }

    @Test
    void furtherPartition_hasNoNodes() {
        ClusterConfiguration configuration = ClusterConfiguration.of(List.of(map(
                "sluice-config",
                Map.of("queues.yaml", "partitions: [{name: gpu, queues: [{name: a}]}, {queues: [{name: b}]}]"))));
        assertThat(configuration.result().value()).hasSize(2);
        assertThat(warnings(configuration))
                .containsExactly("configmap sluice/sluice-config, queues.yaml: partition gpu has no nodes:"
                        + " those of the cluster are in partition default");
    }

    private static ClusterConfiguration compressed(String data) {
        ConfigMap map = map("yunikorn-configs", Map.of());
        map.setBinaryData(Map.of("queues.yaml.gz", data));
        return ClusterConfiguration.of(List.of(map));
    }

    @Test
    void compressedEntry_isRead() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream stream = new GZIPOutputStream(bytes)) {
            stream.write(QUEUES.formatted("a").getBytes(StandardCharsets.UTF_8));
        }
        assertThat(queueOf(compressed(Base64.getEncoder().encodeToString(bytes.toByteArray()))))
                .isEqualTo("a");
    }

    @ParameterizedTest
    @CsvSource({"'!!!!', Illegal base64", "AAAA, Not in GZIP format"})
    void badCompression_isRefused(String data, String problem) {
        assertThat(compressed(data).message())
                .startsWith("configuration refused: configmap sluice/yunikorn-configs, queues.yaml.gz:"
                        + " is not compressed with gzip: " + problem);
    }

    @Test
    void compressedEntry_hasAMaximumSize() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream stream = new GZIPOutputStream(bytes)) {
            byte[] megabyte = new byte[1 << 20];
            for (int i = 0; i < 65; i++) {
                stream.write(megabyte);
            }
        }
        assertThat(compressed(Base64.getEncoder().encodeToString(bytes.toByteArray()))
                        .message())
                .endsWith("queues.yaml.gz: too large: the maximum is 64 MiB");
    }

    @Test
    void longMessage_isShortened() {
        String bad = "{name: \"" + "é".repeat(70) + "\"}";
        ClusterConfiguration configuration = ClusterConfiguration.of(List.of(map(
                "sluice-config",
                Map.of("queues.yaml", "partitions: [{queues: [" + bad + (", " + bad).repeat(50) + "]}]"))));
        assertThat(configuration.message().getBytes(StandardCharsets.UTF_8))
                .hasSizeBetween(1000, ClusterConfiguration.MESSAGE_BYTES_MAX);
        assertThat(configuration.message()).endsWith(" ...");
    }
}
