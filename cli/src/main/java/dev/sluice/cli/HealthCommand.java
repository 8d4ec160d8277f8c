package dev.sluice.cli;

import dev.sluice.cli.answer.Texts;
import dev.sluice.cli.client.ApiPath;
import dev.sluice.cli.client.ServerAnswer;
import dev.sluice.cli.client.ServerRequest;
import dev.sluice.cli.terminal.Style;
import dev.sluice.cli.terminal.TextWidth;
import dev.sluice.server.api.HealthView;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;

@Command(
        name = "health",
        description = {
            "Show server health",
            "",
            "Status: up, degraded (cannot start tasks, or the API server of Kubernetes does not answer), stalled"
                    + " (cannot write the journal), down or standby (another server uses the journal)."
        },
        footerHeading = ServerCommand.EXAMPLES,
        footer = {
            "  sluice health",
            "  until sluice health --timeout 1s >/dev/null 2>&1; do sleep 1; done",
            "",
            "Exit codes: 0 up, 1 degraded, stalled, down or standby, 2 bad input, 3 no server, 130 interrupted."
        })
final class HealthCommand extends ServerCommand {

    @Override
    public Integer call() {
        ServerAnswer answer = client().sendAnyStatus(ServerRequest.get(ApiPath.of("health")));
        HealthView health = answer.as(HealthView.class);
        boolean up = "up".equals(health.status());
        show(answer.tree(), () -> {
            Style style = style();
            String status = up ? style.good(health.status()) : style.bad(TextWidth.printable(health.status()));
            out().println(server().target().server() + " is " + status
                    + (health.detail().isEmpty() ? "" : ": " + TextWidth.printable(health.detail())));
            Map<String, String> rows = new LinkedHashMap<>(health.parts());
            rows.put("since", Texts.time(health.since()));
            rows.put("last event", Long.toString(health.sequence()));
            int width = rows.keySet().stream().mapToInt(String::length).max().orElse(0);
            rows.forEach((part, how) -> out().println("  " + TextWidth.padded(TextWidth.printable(part), width) + "  "
                    + TextWidth.printable(how)));
        });
        return up ? ExitCode.OK : ExitCode.FAILED;
    }
}
