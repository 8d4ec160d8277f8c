package dev.sluice.cli;

import dev.sluice.cli.answer.Texts;
import dev.sluice.cli.client.ApiPath;
import dev.sluice.cli.client.ServerAnswer;
import dev.sluice.cli.terminal.TextTable;
import dev.sluice.cli.terminal.TextTable.Cell;
import dev.sluice.cli.terminal.TextWidth;
import dev.sluice.server.api.PastWaitView;
import dev.sluice.server.api.PastWaitsView;
import dev.sluice.server.api.WaitView;
import dev.sluice.server.api.WhyView;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "why",
        description = {
            "Explain why tasks are pending",
            "",
            "For a task that is not pending, shows its state. With --past, shows why the application waited since its"
                    + " submission: the reason of most of its waiting tasks, whenever it changed, also of applications"
                    + " that have ended. The server reads reasons each 10 seconds, so shorter waits may be missing. FROM"
                    + " and TO are when a reason was read first and known to hold last."
        },
        footerHeading = ServerCommand.EXAMPLES,
        footer = {
            "  sluice why nightly-etl",
            "  sluice why nightly-etl load-3",
            "  sluice why nightly-etl --past",
            "",
            ServerCommand.EXIT_CODES
        })
final class WhyCommand extends ServerCommand {

    @Parameters(
            index = "0",
            paramLabel = "APP",
            completionCandidates = Candidates.Applications.class,
            description = "Application id.")
    private String application = "";

    @Parameters(index = "1", arity = "0..1", paramLabel = "TASK", description = "Task id. Default: all pending tasks.")
    private @Nullable String task;

    @Option(names = "--past", description = "Past reasons of the application, latest first.")
    private boolean past;

    @Override
    public Integer call() {
        String one = task;
        if (past) {
            if (one != null) {
                throw new UserException("--past is about an application: remove the task " + one);
            }
            ServerAnswer waits = client().get(server().inPartition("applications", application, "waits"));
            show(waits.tree(), () -> print(waits.as(PastWaitsView.class)));
            return ExitCode.OK;
        }
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

    private void print(PastWaitsView waits) {
        if (waits.items().isEmpty()) {
            out().println("no past reasons of " + TextWidth.printable(waits.application()));
            return;
        }
        TextTable table = new TextTable(Integer.MAX_VALUE)
                .text("FROM")
                .text("TO")
                .number("COUNT")
                .text("REASON")
                .text("WHY");
        for (PastWaitView wait : waits.items()) {
            table.row(List.of(
                    Cell.of(Texts.time(wait.from())),
                    Cell.of(Texts.time(wait.seen())),
                    Cell.of(wait.tasks()),
                    Cell.of(wait.code()),
                    Cell.of(wait.detail())));
        }
        table.print(out(), style(), "");
    }
}
