package dev.sluice.server.routes;

import dev.sluice.config.field.DurationText;
import dev.sluice.config.snapshot.RequestedType;
import dev.sluice.core.application.ApplicationUpdate;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.placement.QueuePlacement;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Partition;
import dev.sluice.server.api.ApplicationView;
import dev.sluice.server.api.UpdateDocument;
import dev.sluice.server.api.UpdateResult;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.Ownership;
import dev.sluice.server.route.Parameter;
import dev.sluice.server.route.ProblemDetails;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Role;
import dev.sluice.server.route.Route;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The route that changes what is pending of an application. */
public final class UpdateRoutes {

    private final Requests requests;

    public UpdateRoutes(Requests requests) {
        this.requests = requests;
    }

    public List<Route> routes() {
        return List.of(Route.patch(ApplicationRoutes.APPLICATION)
                .named("updateApplication", ApplicationRoutes.TOPIC)
                .action("changing an application")
                .role(Role.SUBMITTER)
                .ownership(Ownership.ADMINISTERED)
                .submits()
                .summary("Changes the queue, priority, timeout or resources of an application that has not ended;"
                        + " tasks on nodes keep what they have.")
                .query("strict", Parameter.Type.FLAG, "Refuse the update if there are warnings; defaults to false.")
                .jsonBody(UpdateDocument.class, "What to change.")
                .response(200, UpdateResult.class, "The updated application.")
                .problems(ProblemKind.NOT_FOUND, ProblemKind.CONFLICT, ProblemKind.INVALID, ProblemKind.TOO_MUCH)
                .handledBy(this::update));
    }

    private ApiResponse update(Call call) {
        ApplicationUpdate update = read(call.body(UpdateDocument.class));
        List<RequestedType> requested = update.resources().names(ResourceTypes.SLOTS)
                ? List.of() // refused by the scheduler
                : RequestedType.of(call.path("partition"), List.of(TaskSpec.single("t", update.resources())));
        return ApiResponse.ok(requests.perform(call, "UpdateApplication", context -> {
            List<ProblemDetails.Location> warnings = MissingResources.addTo(
                    List.of(), context.state(), requested, "true".equals(call.query("strict")), "nothing changed");
            Partition partition = Lookup.partition(context.state(), call);
            Application application = Lookup.application(partition, call);
            if (update.queue() != null) {
                Permissions.requireSubmission(call, partition, QueuePlacement.qualified(update.queue()));
            }
            ApplicationView view = ApplicationRoutes.changed(
                    context, partition, application, (name, id) -> new Command.UpdateApplication(name, id, update));
            return new UpdateResult(view, warnings.isEmpty() ? null : warnings);
        }));
    }

    private static ApplicationUpdate read(UpdateDocument document) {
        Resources resources = document.resources() == null
                ? Resources.NONE
                : RequestedAmounts.read("resources", document.resources());
        return new ApplicationUpdate(
                document.queue(), document.task(), document.priority(), timeout(document.timeout()), resources);
    }

    private static @Nullable Duration timeout(@Nullable String text) {
        try {
            Duration timeout = text == null ? null : DurationText.parse(text);
            if (timeout != null && timeout.isZero()) {
                throw new IllegalArgumentException("must be greater than 0");
            }
            return timeout;
        } catch (IllegalArgumentException e) {
            throw ProblemException.of(ProblemKind.INVALID, "timeout: " + e.getMessage());
        }
    }
}
