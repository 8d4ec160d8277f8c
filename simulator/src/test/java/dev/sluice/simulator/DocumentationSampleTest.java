package dev.sluice.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.queues.QueueConfigurationReader;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.simulator.figures.Comparison;
import dev.sluice.simulator.simulation.Experiment;
import dev.sluice.simulator.simulation.ExperimentListener;
import dev.sluice.simulator.simulation.ExperimentSetup;
import dev.sluice.simulator.workload.Workload;
import dev.sluice.simulator.workload.WorkloadFile;
import dev.sluice.simulator.workload.WorkloadStatistics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Runs the sample of {@code docs/guides/plan-and-simulate.md}. */
class DocumentationSampleTest {

    @Test
    void sample_simulatesAWorkload() throws IOException {
        Path folder = Path.of("..", "examples", "simulate");
        // sample
        Workload work = WorkloadFile.read(folder.resolve("jobs.yaml"), null).value();
        List<PartitionConfiguration> fifo =
                QueueConfigurationReader.read(folder.resolve("fifo.yaml")).value();
        ExperimentSetup setup = new ExperimentSetup(
                work,
                WorkloadStatistics.of(work), // one pass over it
                List.of(new ExperimentSetup.ExperimentCluster("", work.nodes())),
                List.of(new ExperimentSetup.ExperimentVariant("fifo", fifo)),
                1, // no repetitions
                false, // no bounds
                1, // no time scaling
                null, // until all applications have ended
                null, // default sampling interval
                0, // seed
                1); // thread
        Comparison comparison = Experiment.run(setup, ExperimentListener.NONE);
        double p90 = comparison.runs().get(0).total().waiting().p90(); // in seconds
        // end of sample
        assertThat(p90).isPositive();
        assertThat(comparison.runs()).hasSize(1);
    }

    @Test
    void sample_equalsThatOfTheGuide() throws IOException {
        Path root = Path.of("..");
        String here = Files.readString(
                root.resolve("simulator/src/test/java/dev/sluice/simulator/DocumentationSampleTest.java"));
        String sample = here.substring(here.indexOf("// sample\n") + 10, here.indexOf("        // end of sample"));
        assertThat(withoutLayout(Files.readString(root.resolve("docs/guides/plan-and-simulate.md"))))
                .contains(withoutLayout(sample));
    }

    /** Removes white space: the formatter breaks lines differently. */
    private static String withoutLayout(String text) {
        return text.replaceAll("\\s+", "");
    }
}
