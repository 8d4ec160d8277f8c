package dev.sluice.cli;

import dev.sluice.cli.client.ClientJson;
import dev.sluice.cli.client.ServerRequest;
import dev.sluice.config.field.DurationText;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.server.api.UpdateDocument;
import dev.sluice.server.api.UpdateResult;
import dev.sluice.server.route.ProblemDetails;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "update",
        description = {
            "Change what is pending of applications",
            "",
            "Tasks on nodes keep what they have; if they run again, the change holds for them, too. An application"
                    + " changes its queue only while none of its tasks is on a node: hold it and wait, or stop them."
        },
        footerHeading = ServerCommand.EXAMPLES,
        footer = {
            "  sluice update nightly-etl --priority 10",
            "  sluice update sweep-1 sweep-2 --queue root.research",
            "  sluice update nightly-etl --task extract --memory 16Gi --task-timeout 2h",
            "",
            ServerCommand.EXIT_CODES
        })
final class UpdateCommand extends ApplicationAction {

    @Parameters(
            paramLabel = "APP",
            completionCandidates = Candidates.ActiveApplications.class,
            arity = "1..*",
            description = "Application ids.")
    private List<String> applications = List.of();

    @Option(names = "--task", paramLabel = "NAME", description = "Name of the tasks to change. Default: all.")
    private @Nullable String task;

    @Option(
            names = "--queue",
            paramLabel = "QUEUE",
            completionCandidates = Candidates.Queues.class,
            description = "New queue of the application.")
    private @Nullable String queue;

    @Option(names = "--priority", paramLabel = "N", description = "New priority; higher ones start first.")
    private @Nullable Integer priority;

    @Option(names = "--task-timeout", paramLabel = "TIME", description = "New maximum time of one run, such as 1h.")
    private @Nullable Duration timeout;

    @Option(names = "--cpus", paramLabel = "N", description = "New cores of each task, such as 2 or 500m.")
    private @Nullable String cpus;

    @Option(names = "--memory", paramLabel = "SIZE", description = "New memory of each task, such as 4Gi.")
    private @Nullable String memory;

    @Option(names = "--gpus", paramLabel = "N", description = "New GPUs of each task (resource type gpu).")
    private @Nullable Integer gpus;

    @Option(
            names = "--resource",
            paramLabel = "TYPE=AMOUNT",
            description = "New amount of a resource type of each task. Repeatable.")
    private Map<String, String> resources = new LinkedHashMap<>();

    @Option(names = "--strict", description = "Refuse the update if there are warnings.")
    private boolean strict;

    @Override
    public Integer call() {
        OptionValues.requireAtLeast(0, "--gpus", gpus);
        if (timeout != null && timeout.isZero()) {
            throw new UserException("--task-timeout must be greater than 0");
        }
        resources.forEach((type, amount) -> OptionValues.requireQuantity("--resource", type, amount));
        put("--cpus", ResourceTypes.VCORE, cpus);
        put("--memory", ResourceTypes.MEMORY, memory);
        put("--gpus", "gpu", gpus == null ? null : gpus.toString());
        if (queue == null && priority == null && timeout == null && resources.isEmpty()) {
            throw new UserException(
                    "nothing to update: give --queue, --priority, --task-timeout, --cpus, --memory, --gpus or"
                            + " --resource");
        }
        String body = ClientJson.MAPPER.writeValueAsString(new UpdateDocument(
                queue,
                task,
                priority,
                timeout == null ? null : DurationText.format(timeout),
                resources.isEmpty() ? null : resources));
        return change(
                applications,
                application -> ServerRequest.patch(
                        strict
                                ? server().inPartition("applications", application)
                                        .with("strict", "true")
                                : server().inPartition("applications", application),
                        ServerRequest.JSON,
                        body),
                answer -> {
                    UpdateResult result = ClientJson.value(answer, UpdateResult.class);
                    if (result.warnings() != null) {
                        result.warnings().stream()
                                .map(ProblemDetails.Location::message)
                                .forEach(message -> say("warning: " + message));
                    }
                    return result.application();
                });
    }

    private void put(String option, String type, @Nullable String quantity) {
        if (quantity == null) {
            return;
        }
        OptionValues.requireQuantity(option, type, quantity);
        if (resources.put(type, quantity) != null) {
            throw new UserException(option + " and --resource " + type + " exclude each other: remove one");
        }
    }
}
