package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.TaskEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Runs the sample of {@code docs/guides/embed.md}. */
class EmbedGuideTest {

    @Test
    void sample_placesEightTasks() {
        // sample
        Scheduler scheduler = new Scheduler();
        Instant now = Instant.parse("2026-01-01T12:00:00Z");
        scheduler.handle(new Command.ApplyConfiguration(List.of(PartitionConfiguration.simplest())), now);
        scheduler.handle(
                new Command.RegisterNode("default", "n1", Resources.parse("vcore", "8"), new TreeMap<>()), now);
        scheduler.handle(
                new Command.SubmitApplication(
                        "default",
                        ApplicationSpec.sealed(
                                "etl", "root.default", TaskSpec.of("t", 20, Resources.parse("vcore", "1")))),
                now);
        List<Event> events = scheduler.cycle("default", now); // eight tasks placed
        // end of sample
        assertThat(events).filteredOn(TaskEvent.Placed.class::isInstance).hasSize(8);
    }

    @Test
    void sample_equalsThatOfTheGuide() throws IOException {
        Path root = Path.of("..");
        String here = Files.readString(root.resolve("core/src/test/java/dev/sluice/core/EmbedGuideTest.java"));
        String sample = here.substring(here.indexOf("// sample\n") + 10, here.indexOf("        // end of sample"));
        assertThat(withoutLayout(Files.readString(root.resolve("docs/guides/embed.md"))))
                .contains(withoutLayout(sample));
    }

    /** Removes white space: the formatter breaks lines differently. */
    private static String withoutLayout(String text) {
        return text.replaceAll("\\s+", "");
    }
}
