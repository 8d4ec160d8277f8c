package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.snapshot.JobFileReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The job files in the README can be run, and the files it points to are there. */
class ReadmeTest {

    private static final Path ROOT = Path.of("..");

    @Test
    void jobFiles_inTheReadme_areValid() throws IOException {
        Matcher blocks = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL).matcher(readme());
        int found = 0;
        while (blocks.find()) {
            assertThat(JobFileReader.read("README.md", blocks.group(1), Instant.EPOCH)
                            .report())
                    .isEmpty();
            found++;
        }
        assertThat(found).isPositive();
    }

    @Test
    void links_inTheReadme_leadToFiles() throws IOException {
        Matcher links = Pattern.compile("\\]\\(([^)#:]+)\\)").matcher(readme());
        while (links.find()) {
            assertThat(ROOT.resolve(links.group(1))).exists();
        }
    }

    @Test
    void loadClasses_inTheReadme_areAsPlanned() throws IOException {
        String planned =
                Program.execute("plan", Program.example("load-classes.yaml")).out();
        String table = planned.substring(planned.indexOf("Load classes"), planned.indexOf("\nQueues after that"));

        assertThat(readme()).contains(table.indent(4));
    }

    @Test
    void sharesByUsage_inTheReadme_areAsPlanned() throws IOException {
        String planned = Program.execute("plan", Program.example("usage.yaml")).out();
        String table = planned.substring(planned.indexOf("Shares by usage"), planned.indexOf("\nQueues after that"));

        assertThat(readme()).contains(table.indent(4));
    }

    /** Run this after a change of what simulations come to or of how the page shows it, and look at the difference. */
    private static final String REPORT_COMMAND = "./sluice simulate --workload examples/simulate/office.yaml"
            + " --config examples/simulate/fifo.yaml --config examples/simulate/fair.yaml"
            + " --config examples/simulate/usage.yaml --report docs/reports/office.html";

    @Test
    void simulation_inTheReadme_isAsSimulated(@TempDir Path directory) throws IOException {
        Path report = directory.resolve("office.html");
        List<String> arguments = new ArrayList<>(List.of(REPORT_COMMAND.split(" ")));
        arguments.remove(0);
        arguments.add(1, "-q");
        arguments.replaceAll(
                each -> each.startsWith("examples/") ? ROOT.resolve(each).toString() : each);
        arguments.set(arguments.size() - 1, report.toString());

        String shown = Program.execute(arguments.toArray(String[]::new)).out();

        String tables = shown.substring(0, shown.indexOf("\nWAIT and SLOWDOWN"));
        assertThat(readme()).contains(tables.indent(4).replaceAll("(?m)^ +$", ""));
        assertThat(Files.readString(ROOT.resolve("docs/reports/office.html")).equals(Files.readString(report)))
                .as("docs/reports/office.html is what the program writes today; write it anew with\n" + REPORT_COMMAND)
                .isTrue();
    }

    private static String readme() throws IOException {
        return Files.readString(ROOT.resolve("README.md"));
    }
}
