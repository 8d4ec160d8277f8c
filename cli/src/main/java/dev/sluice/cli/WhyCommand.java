package dev.sluice.cli;

import dev.sluice.cli.client.ApiPath;
import dev.sluice.cli.client.ServerAnswer;
import dev.sluice.cli.terminal.TextTable;
import dev.sluice.cli.terminal.TextTable.Cell;
import dev.sluice.cli.terminal.TextWidth;
import dev.sluice.server.api.WaitView;
import dev.sluice.server.api.WhyView;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "why",
        description = {"Explain why tasks are pending", "", "For a task that is not pending, shows its state."},
        footerHeading = ServerCommand.EXAMPLES,
        footer = {"  sluice why nightly-etl", "  sluice why nightly-etl load-3", "", ServerCommand.EXIT_CODES})
final class WhyCommand extends ServerCommand {

    @Parameters(
            index = "0",
            paramLabel = "APP",
            completionCandidates = Candidates.Applications.class,
            description = "Application id.")
    private String application = "";

    @Parameters(index = "1", arity = "0..1", paramLabel = "TASK", description = "Task id. Default: all pending tasks.")
    private @Nullable String task;

    @Override
    public Integer call() {
        String one = task;
        ApiPath path = one == null
                ? server().inPartition("applications", application, "why")
                : server().inPartition("applications", application, "tasks", one, "why");
        ServerAnswer answer = client().get(path);
        show(answer.tree(), () -> print(answer.as(WhyView.class)));
        return ExitCode.OK;
    }

    private void print(WhyView why) {
        String what = why.task() == null ? why.application() : why.application() + " " + why.task();
        out().println(style().strong(TextWidth.printable(what)) + " (" + TextWidth.printable(why.state()) + "): "
                + TextWidth.printable(why.summary()));
        if (why.task() != null || why.reasons().isEmpty()) {
            return;
        }
        TextTable table = new TextTable(Integer.MAX_VALUE)
                .number("COUNT")
                .text("TASKS")
                .text("REASON")
                .text("WHY");
        for (WaitView reason : why.reasons()) {
            table.row(List.of(
                    Cell.of(reason.tasks()),
                    Cell.of(TextWidth.shortened(String.join(", ", reason.names()), 40)),
                    Cell.of(reason.code()),
                    Cell.of(reason.detail())));
        }
        table.print(out(), style(), "  ");
    }
}
