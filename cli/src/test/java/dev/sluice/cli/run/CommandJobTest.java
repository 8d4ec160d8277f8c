package dev.sluice.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.run.CommandJob.CommandTask;
import dev.sluice.config.output.Output;
import dev.sluice.config.output.Output.OutputMap;
import dev.sluice.config.snapshot.ApplicationEntry;
import dev.sluice.config.snapshot.JobFileReader;
import dev.sluice.core.application.Retries;
import dev.sluice.core.application.TaskCommand;
import dev.sluice.core.application.TaskSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CommandJobTest {

    private static ApplicationEntry read(CommandJob job) {
        return JobFileReader.read("command line", job.text(), Instant.EPOCH)
                .value()
                .applications()
                .get(0);
    }

    private static TaskCommand command(TaskSpec task) {
        return Objects.requireNonNull(task.command());
    }

    @Test
    void text_ofCommand_isReadAsItsJob() {
        CommandJob job = new CommandJob(
                "train",
                "root.default",
                CommandJob.ofWords("train", List.of("python", "a \"b\"\\", "")),
                List.of(),
                new OutputMap().put("vcore", Output.text("500m")),
                2,
                Duration.ofSeconds(30),
                Duration.ofMinutes(90));

        ApplicationEntry application = read(job);
        TaskSpec task = application.tasks().get(0).spec();

        assertThat(application.numbered()).isTrue();
        assertThat(application.name()).isEqualTo("train");
        assertThat(application.queue()).isEqualTo("root.default");
        assertThat(command(task).words()).containsExactly("python", "a \"b\"\\", "");
        assertThat(command(task).shell()).isFalse();
        assertThat(task.resources()).hasToString("vcore 500m");
        assertThat(task.attempts().retries()).isEqualTo(new Retries(2, Duration.ofSeconds(30), 2, List.of()));
        assertThat(task.attempts().timeout()).isEqualTo(Duration.ofMinutes(90));
    }

    @Test
    void lines_areNumberedAsInTheFile() {
        CommandJob job = new CommandJob(
                "all", null, CommandJob.ofLines("a\r\n\n  # b\nc: 'd'"), List.of(), new OutputMap(), null, null, null);

        assertThat(read(job).tasks())
                .extracting(
                        task -> task.spec().name() + "=" + command(task.spec()).words())
                .containsExactly("line-1=[a]", "line-4=[c: 'd']");
        assertThat(job.tasks()).allMatch(CommandTask::isLine);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a=1..3 | j-1: 1; j-2: 2; j-3: 3",
                "a=1..0..-0.5 | j-1.0: 1.0; j-0.5: 0.5; j-0.0: 0.0",
                "a=x,y_z | j-x: x; j-y_z: y_z",
                "a=x/y,z w | j-0: x/y; j-1: z w",
                "a=.. | j-..: ..",
                "a=1..x | j-1..x: 1..x",
            })
    void parameters_makeTasks(String option, String expected) {
        List<CommandParameter> parameters = CommandParameter.all(List.of(option));
        CommandJob job = new CommandJob(
                "j", null, CommandJob.ofWords("j", List.of("x", "{a}")), parameters, new OutputMap(), null, null, null);

        assertThat(read(job).tasks())
                .extracting(task ->
                        task.spec().name() + ": " + command(task.spec()).words().get(1))
                .containsExactly(expected.split("; "));
    }

    @Test
    void name_isThatOfProgramOrFile() {
        assertThat(CommandJob.nameOf("/usr/bin/python3.11", true)).isEqualTo("python3.11");
        assertThat(CommandJob.nameOf("a/commands.txt", false)).isEqualTo("commands");
        assertThat(CommandJob.nameOf("/", true)).isEqualTo("/");
        assertThat(CommandJob.nameOf(".x", false)).isEqualTo(".x");
    }
}
