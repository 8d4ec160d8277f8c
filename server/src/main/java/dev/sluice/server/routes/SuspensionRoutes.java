package dev.sluice.server.routes;

import dev.sluice.core.application.RunRef;
import dev.sluice.core.application.TaskRef;
import dev.sluice.core.command.Command;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.runtime.executor.TaskSignal;
import dev.sluice.runtime.host.TaskAdmission;
import dev.sluice.runtime.host.TransactionContext;
import dev.sluice.server.api.ApplicationView;
import dev.sluice.server.api.SignalDocument;
import dev.sluice.server.api.SignalResult;
import dev.sluice.server.api.TaskSelection;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.Ownership;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Role;
import dev.sluice.server.route.Route;
import dev.sluice.server.view.Views;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/** Routes that suspend, resume and signal running tasks. */
public final class SuspensionRoutes {

    private final Requests requests;
    private final TaskAdmission admission;
    private final BiPredicate<RunRef, TaskSignal> signals;

    /**
     * Creates the routes.
     *
     * @param admission which tasks can be suspended and signalled
     * @param signals sends a signal to a run of this server and returns whether it is running; called by the
     *     scheduler's thread
     */
    public SuspensionRoutes(Requests requests, TaskAdmission admission, BiPredicate<RunRef, TaskSignal> signals) {
        this.requests = requests;
        this.admission = admission;
        this.signals = signals;
    }

    public List<Route> routes() {
        return List.of(
                Route.post(ApplicationRoutes.APPLICATION + "/suspend")
                        .named("suspendTasks", ApplicationRoutes.TOPIC)
                        .action("suspending tasks of an application")
                        .role(Role.SUBMITTER)
                        .ownership(Ownership.ADMINISTERED)
                        .summary("Suspends running tasks: their processes halt, they keep their resources, and their"
                                + " timeouts do not advance. Without tasks, suspends all that are running and holds"
                                + " the application. All are suspended or none.")
                        .jsonBody(TaskSelection.class, "Which tasks; optional.")
                        .response(200, ApplicationView.class, "The updated application.")
                        .problems(ProblemKind.NOT_FOUND, ProblemKind.CONFLICT)
                        .handledBy(call -> change(call, "SuspendTasks", this::suspension)),
                Route.post(ApplicationRoutes.APPLICATION + "/resume")
                        .named("resumeTasks", ApplicationRoutes.TOPIC)
                        .action("resuming tasks of an application")
                        .role(Role.SUBMITTER)
                        .ownership(Ownership.ADMINISTERED)
                        .summary("Resumes suspended tasks. Without tasks, resumes all and releases the application.")
                        .jsonBody(TaskSelection.class, "Which tasks; optional.")
                        .response(200, ApplicationView.class, "The updated application.")
                        .problems(ProblemKind.NOT_FOUND, ProblemKind.CONFLICT)
                        .handledBy(call -> change(
                                call,
                                "ResumeTasks",
                                (application, tasks) ->
                                        new Command.ResumeTasks(application.partition(), application.id(), tasks))),
                Route.post(ApplicationRoutes.APPLICATION + "/signal")
                        .named("signalTasks", ApplicationRoutes.TOPIC)
                        .action("signalling tasks of an application")
                        .role(Role.SUBMITTER)
                        .ownership(Ownership.ADMINISTERED)
                        .summary("Sends a signal to all processes of tasks that run on this server, once. It is not"
                                + " recorded; suspended tasks receive it when they are resumed, except KILL.")
                        .jsonBody(SignalDocument.class, "The signal and which tasks.")
                        .response(200, SignalResult.class, "The number of tasks it was sent to.")
                        .problems(ProblemKind.NOT_FOUND, ProblemKind.INVALID)
                        .handledBy(this::signal));
    }

    /** Creates the command for tasks of an application. */
    private interface CommandMaker {
        Command of(Application application, List<TaskRef> tasks);
    }

    private ApiResponse change(Call call, String action, CommandMaker maker) {
        List<String> ids =
                call.text().isBlank() ? null : call.body(TaskSelection.class).tasks();
        return ApiResponse.ok(requests.perform(call, action, context -> {
            Partition partition = Lookup.partition(context.state(), call);
            Application application = Lookup.application(partition, call);
            ProblemException.requireAccepted(context.handle(maker.of(application, find(application, ids))));
            return Views.application(partition, application, null);
        }));
    }

    private Command suspension(Application application, List<TaskRef> tasks) {
        requireControl(application, ProblemKind.CONFLICT);
        return new Command.SuspendTasks(application.partition(), application.id(), tasks);
    }

    private void requireControl(Application application, ProblemKind kind) {
        String refusal = admission.controlRefusal(application.partition());
        if (refusal != null) {
            throw ProblemException.of(kind, refusal);
        }
    }

    private ApiResponse signal(Call call) {
        SignalDocument document = call.body(SignalDocument.class);
        TaskSignal signal;
        try {
            signal = TaskSignal.parse(document.signal());
        } catch (IllegalArgumentException e) {
            throw ProblemException.of(ProblemKind.INVALID, String.valueOf(e.getMessage()));
        }
        return ApiResponse.ok(requests.perform(
                call,
                "SignalTasks",
                context -> new SignalResult(signal.name(), send(context, call, document, signal))));
    }

    private int send(TransactionContext context, Call call, SignalDocument document, TaskSignal signal) {
        Application application = Lookup.application(Lookup.partition(context.state(), call), call);
        requireControl(application, ProblemKind.INVALID);
        List<TaskRef> wanted = find(application, document.tasks());
        int sent = 0;
        for (TaskRef ref : wanted) {
            Task task = Objects.requireNonNull(application.groupOf(ref)).placed(ref.position());
            sent += task != null && signals.test(task.run(), signal) ? 1 : 0;
        }
        for (TaskGroup group : wanted.isEmpty() ? application.groups() : List.<TaskGroup>of()) {
            for (Task task : group.placed()) {
                sent += signals.test(task.run(), signal) ? 1 : 0;
            }
        }
        return sent;
    }

    private static List<TaskRef> find(Application application, @Nullable List<String> ids) {
        List<TaskRef> tasks = new ArrayList<>();
        for (String id : ids == null ? List.<String>of() : ids) {
            TaskRef task = application.find(id);
            if (task == null) {
                throw ProblemException.of(
                        ProblemKind.NOT_FOUND, "task " + id + " not found in application " + application.id());
            }
            tasks.add(task);
        }
        return tasks;
    }
}
