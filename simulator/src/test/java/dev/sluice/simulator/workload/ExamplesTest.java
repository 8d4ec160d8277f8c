package dev.sluice.simulator.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.queues.QueueConfigurationReader;
import dev.sluice.config.snapshot.NodeEntry;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.state.Partition;
import dev.sluice.simulator.workload.jobs.JobFileWorkload;
import dev.sluice.simulator.workload.synthetic.SyntheticWorkload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The files in {@code examples/simulate} are valid and have the documented properties. */
class ExamplesTest {

    private static final Instant MONDAY = Instant.parse("2026-01-05T00:00:00Z");

    private static Path example(String name) {
        Path fromModule = Path.of("..", "examples", "simulate", name);
        return Files.exists(fromModule) ? fromModule : Path.of("examples", "simulate", name);
    }

    private static SyntheticWorkload office() {
        return whole(SyntheticWorkload.read(example("office.yaml")));
    }

    private static <T> T whole(ParseResult<T> reading) {
        assertThat(reading.report()).isEmpty();
        assertThat(reading.warnings()).isEmpty();
        return reading.value();
    }

    private static List<Arrival> arrivals(Workload workload) throws IOException {
        List<Arrival> arrivals = new ArrayList<>();
        try (ArrivalStream stream = workload.open()) {
            for (Arrival next = stream.next(); next != null; next = stream.next()) {
                arrivals.add(next);
            }
        }
        return arrivals;
    }

    private static double cores(NodeEntry node) {
        return node.size() * node.capacity().amount(ResourceTypes.VCORE).value() / 1000.0;
    }

    private static double coreHours(Arrival arrival) {
        TaskSpec task = arrival.application().tasks().get(0);
        double cores =
                task.size() * task.resources().amount(ResourceTypes.VCORE).value() / 1000.0;
        return cores * arrival.durations().get(0).toSeconds() / 3600;
    }

    @Test
    void office_overloadedByDayOnly_hasHundredsOfApplications() throws IOException {
        List<Arrival> arrivals = arrivals(office());
        double capacity =
                office().nodes().stream().mapToDouble(ExamplesTest::cores).sum();

        double[] byHour = new double[24];
        for (Arrival arrival : arrivals) {
            byHour[arrival.submitted().atOffset(ZoneOffset.UTC).getHour()] += coreHours(arrival) / capacity;
        }

        assertThat(arrivals.size()).isBetween(400, 900);
        assertThat(mean(byHour, 9, 18)).as("load by day").isBetween(1.05, 1.6);
        assertThat(mean(byHour, 0, 6)).as("load by night").isBetween(0.1, 0.6);
    }

    private static double mean(double[] values, int from, int to) {
        double sum = 0;
        for (int i = from; i < to; i++) {
            sum += values[i];
        }
        return sum / (to - from);
    }

    @ParameterizedTest
    @CsvSource({
        "fifo,root.all,root.all,root.all",
        "fair,root.web,root.data,root.research",
        "stateaware,root.web,root.data,root.research",
        "load,root.web,root.data,root.research",
        "usage,root.web,root.data,root.research",
        "mixture,root.engineering.web,root.engineering.data,root.research"
    })
    void configuration_ofOffice_placesAllApplicationsInTeamQueues(String name, String web, String data, String research)
            throws IOException {
        List<PartitionConfiguration> partitions = whole(QueueConfigurationReader.read(example(name + ".yaml")));
        Scheduler scheduler = new Scheduler();
        assertThat(scheduler
                        .handle(new Command.ApplyConfiguration(partitions), MONDAY)
                        .refusal())
                .isNull();
        for (Arrival arrival : arrivals(office())) {
            Command submit = new Command.SubmitApplication(arrival.partition(), arrival.application());
            assertThat(scheduler.handle(submit, arrival.submitted()).refusal()).isNull();
            String expected = switch (arrival.application().groups().get(0)) {
                case "web" -> web;
                case "data" -> data;
                default -> research;
            };
            Partition partition = Objects.requireNonNull(scheduler.state().partition(arrival.partition()));
            assertThat(partition.existing(arrival.application().id()).queue().path())
                    .isEqualTo(expected);
        }
    }

    @Test
    void jobs_areSubmittedInOrder() throws IOException {
        JobFileWorkload jobs = whole(JobFileWorkload.read(example("jobs.yaml")));

        List<Arrival> arrivals = arrivals(jobs);

        assertThat(jobs.nodes()).hasSize(1);
        assertThat(jobs.partitions()).hasSize(1);
        assertThat(arrivals).extracting(Arrival::submitted).isSorted();
        assertThat(arrivals)
                .extracting(arrival -> arrival.application().id())
                .startsWith("sync-0", "forecast", "sync-1", "build", "sync-2")
                .hasSize(14);
        assertThat(arrivals.get(13).submitted())
                .isEqualTo(arrivals.get(0).submitted().plus(Duration.ofMinutes(110)));
    }
}
