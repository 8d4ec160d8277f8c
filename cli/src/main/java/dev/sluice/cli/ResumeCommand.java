package dev.sluice.cli;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "resume",
        description = {
            "Resume suspended tasks",
            "",
            "Without a task, all suspended tasks of the application continue, and it is released if it is held."
        },
        footerHeading = ServerCommand.EXAMPLES,
        footer = {"  sluice resume train-7", "  sluice resume train-7 t-3", "", ServerCommand.EXIT_CODES})
final class ResumeCommand extends ApplicationAction {

    @Mixin
    private SelectedTasks selected = new SelectedTasks();

    @Override
    public Integer call() {
        return change(List.of(selected.application()), "resume", selected.body());
    }
}
