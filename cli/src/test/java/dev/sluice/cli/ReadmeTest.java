package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.situation.JobFileReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

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

    private static String readme() throws IOException {
        return Files.readString(ROOT.resolve("README.md"));
    }
}
