package dev.sluice.cli;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "suspend",
        description = {
            "Suspend running tasks: they halt and keep their resources",
            "",
            "All processes of a suspended task halt (SIGSTOP) until it is resumed, cancelled or stopped, also if the"
                    + " server restarts. Nothing else gets its resources, GPUs included, and usage counts them. Its"
                    + " timeout does not advance. Without a task, the application is held, too: nothing of it starts.",
            "",
            "Works for tasks that are processes; those that are pods are refused. sluice hold only keeps tasks from"
                    + " starting, pods too."
        },
        footerHeading = ServerCommand.EXAMPLES,
        footer = {
            "  sluice suspend train-7           # the whole application",
            "  sluice suspend train-7 t-3 t-4",
            "  sluice tasks train-7 --state suspended",
            "",
            ServerCommand.EXIT_CODES
        })
final class SuspendCommand extends ApplicationAction {

    @Mixin
    private SelectedTasks selected = new SelectedTasks();

    @Override
    public Integer call() {
        return change(List.of(selected.application()), "suspend", selected.body());
    }
}
