package dev.sluice.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.run.CommandJob.CommandTask;
import dev.sluice.config.output.Output;
import dev.sluice.config.output.Output.OutputMap;
import dev.sluice.config.snapshot.ApplicationEntry;
import dev.sluice.config.snapshot.JobFileReader;
import dev.sluice.core.application.TaskSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CommandJobTest {

    private static ApplicationEntry read(CommandJob job, String id) {
        return JobFileReader.read("command line", job.text(id), Instant.EPOCH)
                .value()
                .applications()
                .get(0);
    }

    @Test
    void text_ofCommand_isReadAsItsJob() {
        CommandJob job = new CommandJob(
                "train",
                "root.default",
                CommandJob.ofWords("train", List.of("python", "a \"b\"\\", "")),
                new OutputMap().put("vcore", Output.text("500m")),
                2,
                Duration.ofMinutes(90));

        ApplicationEntry application = read(job, "train-1");
        TaskSpec task = application.tasks().get(0).spec();

        assertThat(application.id()).isEqualTo("train-1");
        assertThat(application.name()).isEqualTo("train");
        assertThat(application.queue()).isEqualTo("root.default");
        assertThat(task.command().words()).containsExactly("python", "a \"b\"\\", "");
        assertThat(task.command().shell()).isFalse();
        assertThat(task.resources()).hasToString("vcore 500m");
        assertThat(task.attempts().retries()).isEqualTo(2);
        assertThat(task.attempts().timeout()).isEqualTo(Duration.ofMinutes(90));
    }

    @Test
    void lines_areNumberedAsInTheFile() {
        CommandJob job =
                new CommandJob("all", null, CommandJob.ofLines("a\r\n\n  # b\nc: 'd'"), new OutputMap(), null, null);

        assertThat(read(job, "all").tasks())
                .extracting(
                        task -> task.spec().name() + "=" + task.spec().command().words())
                .containsExactly("line-1=[a]", "line-4=[c: 'd']");
        assertThat(job.tasks()).allMatch(CommandTask::isLine);
    }

    @Test
    void name_isThatOfProgramOrFile() {
        assertThat(CommandJob.nameOf("/usr/bin/python3.11", true)).isEqualTo("python3.11");
        assertThat(CommandJob.nameOf("a/commands.txt", false)).isEqualTo("commands");
        assertThat(CommandJob.nameOf("/", true)).isEqualTo("/");
        assertThat(CommandJob.nameOf(".x", false)).isEqualTo(".x");
    }
}
