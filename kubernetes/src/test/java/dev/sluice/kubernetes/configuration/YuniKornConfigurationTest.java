package dev.sluice.kubernetes.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.problem.Problem;
import dev.sluice.config.queues.QueueConfigurationWriter;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.kubernetes.translation.Manifests;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Config maps in the form of YuniKorn's documentation work as they are; at most, they warn. */
final class YuniKornConfigurationTest {

    /** "Resource Quota Management", static queues. */
    private static final String STATIC = """
            partitions:
              -
                name: default
                queues:
                  -
                    name: root
                    submitacl: '*'
                    queues:
                      -
                        name: ads
                        resources:
                          guaranteed: {memory: 500000, vcore: 50000}
                          max: {memory: 800000, vcore: 80000}
                      -
                        name: sandbox
                        resources:
                          guaranteed: {memory: 10Gi, vcore: 500m}
                          max: {memory: 10Gi, vcore: 10}
            """;

    /** The same, namespaces as queues. */
    private static final String NAMESPACES = """
            partitions:
              - name: default
                placementrules:
                  - name: tag
                    value: namespace
                    create: true
                queues:
                  - name: root
                    submitacl: '*'
                    properties:
                      application.sort.policy: stateaware
            """;

    /** The same, parent queues of namespaces. */
    private static final String PARENTS = """
            partitions:
              - name: default
                placementrules:
                  - name: tag
                    value: namespace
                    create: true
                    parent:
                      name: tag
                      value: namespace.parentqueue
                queues:
                  - name: root
                    queues:
                      - name: production
                        parent: true
                      - name: development
                        parent: true
            """;

    /** "Partition and Queue Configuration": properties, limits, template, and settings of the partition. */
    private static final String QUEUES = """
            partitions:
              - name: default
                statedumpfilepath: /tmp/dump.txt
                nodesortpolicy:
                  type: binpacking
                  resourceweights: {vcore: 2.0, memory: 1.0, nvidia.com/gpu: 5.0}
                preemption:
                  enabled: true
                limits:
                  - limit: everybody
                    users: ["*"]
                    maxapplications: 10
                queues:
                  - name: namespaces
                    parent: true
                    maxapplications: 12
                    resources:
                      guaranteed:
                        {memory: 1G, vcore: 10}
                      max:
                        {memory: 10G, vcore: 100}
                    childtemplate:
                      maxapplications: 10
                      properties:
                        application.sort.policy: fifo
                      resources:
                        guaranteed: {vcore: 1000m, memory: 1G}
                        max: {vcore: 20, memory: 6G}
                    queues:
                      - name: level1
                        maxapplications: 8
                        adminacl: "sue,bob admins"
                        properties:
                          application.sort.policy: fair
                          application.sort.priority: disabled
                          priority.policy: fence
                          priority.offset: "50"
                          preemption.policy: fence
                          preemption.delay: 30s
                        resources:
                          guaranteed:
                            {memory: 500M, vcore: 5}
                          max:
                            {memory: 5G, vcore: 50}
                        limits:
                          - limit: a user and a group
                            users: [sue]
                            groups: [dev]
                            maxapplications: 5
                            maxresources: {memory: 1G, vcore: 4000m}
            """;

    /** "App Placement Rules": filters, rules above rules, and a last resort. */
    private static final String RULES = """
            partitions:
              - name: default
                placementrules:
                  - name: user
                    create: true
                    filter:
                      type: allow
                      groups: ["dev.*"]
                    parent:
                      name: tag
                      value: namespace
                  - name: provided
                    create: false
                    filter: {type: deny, users: [bob, sue]}
                  - name: fixed
                    value: root.last_resort
                    create: true
                queues:
                  - name: production
                    submitacl: john,bob
                  - name: user_dot_name
            """;

    @ParameterizedTest
    @ValueSource(strings = {STATIC, NAMESPACES, PARENTS, QUEUES, RULES})
    void documentedConfiguration_isAccepted(String queues) {
        String data = queues.replace("\n", "\n  ").stripTrailing();
        ClusterConfiguration configuration =
                ClusterConfiguration.of(List.of(Manifests.configMap("""
                metadata: {name: yunikorn-configs}
                data:
                  service.clusterId: mycluster
                  service.policyGroup: queues
                  service.volumeBindTimeout: 10s
                  health.checkInterval: 30s
                  queues.yaml: |
                """ + "    " + data.replace("\n", "\n  ") + "\n")));
        assertThat(configuration.message()).startsWith("configuration accepted: configmap sluice/yunikorn-configs");
        assertThat(configuration.result().warnings())
                .extracting(Problem::message)
                .contains("service.clusterId has no effect in Sluice")
                .allSatisfy(each -> assertThat(each).endsWith("has no effect in Sluice"));
        List<PartitionConfiguration> partitions = configuration.result().value();
        assertThat(partitions).extracting(PartitionConfiguration::name).containsExactly("default");
        String written = QueueConfigurationWriter.yaml(partitions);
        queues.lines()
                .map(String::strip)
                .filter(line -> line.startsWith("- name: "))
                .map(line -> line.substring("- name: ".length()))
                .forEach(name -> assertThat(written).contains(name));
    }
}
