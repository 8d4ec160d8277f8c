package dev.sluice.cli;

import static dev.sluice.cli.Program.execute;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Program.ProgramResult;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

final class SluiceTest {

    @Test
    void version_requested_isPrinted() {
        assertThat(execute("--version").out()).startsWith("sluice ").contains("Java " + Runtime.version());
        assertThat(execute("plan", "--version").exitCode()).isZero();
    }

    @Test
    void help_requestedOrNoArguments_isPrinted() {
        String help = execute("--help").out();

        assertThat(help).startsWith("Usage: sluice").contains("Examples:").contains("Exit codes:");
        assertThat(execute().out()).isEqualTo(help);
        assertThat(execute("help").out()).isEqualTo(help);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "run",
                "plan",
                "simulate",
                "validate",
                "serve",
                "submit",
                "list",
                "get",
                "tasks",
                "logs",
                "why",
                "wait",
                "cancel",
                "forget",
                "top",
                "queues",
                "nodes",
                "offline",
                "reinstate",
                "taint",
                "classes",
                "throttle",
                "config",
                "events",
                "health",
                "snapshot",
                "ui",
                "context",
                "admin",
                "schema",
                "completion",
                "man-pages"
            })
    void help_ofEveryCommand_hasExamples(String command) {
        ProgramResult answer = execute(command, "--help");

        assertThat(answer.exitCode()).isZero();
        assertThat(answer.out()).contains("Examples:").contains("  sluice " + command);
        assertThat(execute("help", command).out()).isEqualTo(answer.out());
    }

    @Test
    void help_ofUnknownCommand_isRefused() {
        ProgramResult answer = execute("submitt", "--help");

        assertThat(answer.exitCode()).isEqualTo(2);
        assertThat(answer.out()).isEmpty();
        assertThat(answer.err()).contains("'submitt'", "Did you mean: sluice submit ");
    }

    @Test
    void help_ofTheProgram_listsEveryCommandInAGroup() {
        String help = execute("--help").out();

        assertThat(help)
                .containsSubsequence(
                        "On this machine:\n  run ",
                        "\n\nApplications on a server:\n  submit ",
                        "\n\nServer and cluster:\n  top ");
        Sluice.commandLine().getSubcommands().forEach((name, command) -> {
            boolean hidden = command.getCommandSpec().usageMessage().hidden();
            assertThat(help.contains("\n  " + name + " ")).as(name).isNotEqualTo(hidden);
        });
    }

    /** Every command, subcommands and those with subcommands included. */
    private static List<CommandLine> all(CommandLine command) {
        List<CommandLine> all = new ArrayList<>(List.of(command));
        command.getSubcommands().forEach((name, each) -> {
            if (!name.equals("help")) {
                all.addAll(all(each));
            }
        });
        return all;
    }

    @Test
    void help_atDefaultWidth_fits80ColumnsAndKeepsExamples() {
        for (CommandLine command : all(Sluice.commandLine())) {
            String help = command.getUsageMessage();
            assertThat(help.lines().filter(line -> line.length() > 80))
                    .as(command.getCommandSpec().qualifiedName())
                    .isEmpty();
            List<String> examples = Arrays.stream(
                            command.getCommandSpec().usageMessage().footer())
                    .filter(line -> line.startsWith("  "))
                    .toList();
            assertThat(help.lines()).containsAll(examples);
        }
    }

    @Test
    void help_atGreaterWidth_usesIt() {
        CommandLine run = Objects.requireNonNull(
                Sluice.commandLine("run").getSubcommands().get("run"));

        run.setUsageHelpWidth(120);

        assertThat(run.getUsageMessage().lines()).anyMatch(line -> line.length() > 100);
    }

    @Test
    void summary_ofEveryCommand_isAtMost60Characters() {
        for (CommandLine command : all(Sluice.commandLine())) {
            String summary = command.getCommandSpec().usageMessage().description()[0];
            assertThat(summary).matches("[A-Z].*[^.]").hasSizeLessThanOrEqualTo(60);
        }
    }

    @Test
    void arguments_namingACommand_registerOnlyThatCommand() {
        Set<String> all = Sluice.commandLine().getSubcommands().keySet();
        for (String name : all) {
            Set<String> needed =
                    Sluice.commandLine(name, "--help").getSubcommands().keySet();
            assertThat(needed)
                    .isEqualTo(List.of("help", "completion", "man-pages").contains(name) ? all : Set.of(name));
        }
        assertThat(Sluice.commandLine("plam").getSubcommands().keySet()).isEqualTo(all);
    }

    @Test
    void help_ofServerCommands_listsExitCodes() {
        Sluice.commandLine().getSubcommands().forEach((name, command) -> {
            if (command.getCommandSpec().findOption("--server") != null
                    && !command.getCommandSpec().usageMessage().hidden()) {
                assertThat(execute(name, "--help").out().replaceAll("\\s+", " "))
                        .as(name)
                        .contains("3 no server");
            }
        });
    }

    @Test
    void option_unknown_exits2AndIsNamed() {
        ProgramResult answer = execute("plan", "--unknown", "x");

        assertThat(answer.exitCode()).isEqualTo(2);
        assertThat(answer.err()).contains("--unknown").doesNotContain("\tat ");
        assertThat(answer.out()).isEmpty();
        assertThat(execute("plam").err()).contains("plan");
        assertThat(execute("plan", "x", "-o", "xml").err()).contains("expected table or json, not 'xml'");
    }

    @Test
    void completion_forFish_hasCommandsOptionsAndCandidates() {
        String script = execute("completion", "fish").out();

        assertThat(script.lines()).allMatch(line -> line.startsWith("complete -c sluice -n "));
        assertThat(script)
                .contains("-n '__fish_use_subcommand' -f -a validate -d 'Check ")
                .contains("-n '__fish_seen_subcommand_from admin' -f -a backup -d ")
                .contains(
                        "-n '__fish_seen_subcommand_from admin; and __fish_seen_subcommand_from backup' -l no-logs -d ")
                .contains("-l partition -x -a '(sluice complete partitions 2>/dev/null)'")
                .doesNotContain(" -a complete ");
    }

    @Test
    void completion_forBash_isValidBash() throws Exception {
        String script = execute("completion", "bash").out();
        Process bash = new ProcessBuilder(List.of("bash", "-n"))
                .redirectErrorStream(true)
                .start();
        bash.getOutputStream().write(script.getBytes(StandardCharsets.UTF_8));
        bash.getOutputStream().close();

        assertThat(bash.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(bash.exitValue()).isZero();
        assertThat(script).contains("--config").contains("validate");
        assertThat(script.substring(script.indexOf("_picocli_sluice_simulate()")))
                .contains(
                        "--workload",
                        "--mapping",
                        "--nodes",
                        "--until",
                        "--report",
                        "--time-scale",
                        "--seed",
                        "--malformed-max",
                        "--no-bounds");
        assertThat(execute("completion", "tcsh").exitCode()).isEqualTo(2);
    }
}
