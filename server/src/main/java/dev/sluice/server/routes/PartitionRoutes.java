package dev.sluice.server.routes;

import dev.sluice.config.field.DurationText;
import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.LoadSettings;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.share.LoadWorkers;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.runtime.host.TransactionContext;
import dev.sluice.server.api.ClassesDocument;
import dev.sluice.server.api.ClassesView;
import dev.sluice.server.api.PartitionView;
import dev.sluice.server.api.QueueView;
import dev.sluice.server.api.RequestorsDocument;
import dev.sluice.server.api.ThrottleDocument;
import dev.sluice.server.api.UsagePriorityDocument;
import dev.sluice.server.configuration.Configurations;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Role;
import dev.sluice.server.route.Route;
import dev.sluice.server.view.QueueViews;
import dev.sluice.server.view.Views;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Routes of partitions, queues and load classes. */
public final class PartitionRoutes {

    private static final String PARTITION = "/partitions/{partition}";
    private static final String CLASSES = PARTITION + "/classes";

    private final Requests requests;
    private final Configurations configurations;

    public PartitionRoutes(Requests requests, Configurations configurations) {
        this.requests = requests;
        this.configurations = configurations;
    }

    public List<Route> routes() {
        return List.of(
                Route.get("/partitions")
                        .named("listPartitions", "partitions")
                        .action("reading partitions")
                        .role(Role.VIEWER)
                        .summary("Lists the partitions.")
                        .listResponse(PartitionView.class, "The partitions.")
                        .handledBy(call -> ApiResponse.ok(requests.query(call, new PartitionListQuery()))),
                Route.get(PARTITION)
                        .named("getPartition", "partitions")
                        .action("reading partitions")
                        .role(Role.VIEWER)
                        .summary("Returns one partition.")
                        .response(200, PartitionView.class, "The partition.")
                        .problems(ProblemKind.NOT_FOUND)
                        .handledBy(call -> ApiResponse.ok(requests.read(
                                call, context -> Views.partition(Lookup.partition(context.state(), call))))),
                Route.put(PARTITION + "/throttle")
                        .named("setThrottle", "partitions")
                        .action("throttling a partition")
                        .role(Role.OPERATOR)
                        .summary("Limits the number of allocated tasks; running tasks are unaffected.")
                        .jsonBody(ThrottleDocument.class, "The limit.")
                        .response(200, PartitionView.class, "The updated partition.")
                        .problems(ProblemKind.NOT_FOUND, ProblemKind.INVALID)
                        .handledBy(this::throttle),
                Route.get(PARTITION + "/queues")
                        .named("listQueues", "queues")
                        .action("reading queues")
                        .role(Role.VIEWER)
                        .summary("Lists the queues with their usage and share, parents before children.")
                        .listResponse(QueueView.class, "The queues.")
                        .problems(ProblemKind.NOT_FOUND)
                        .handledBy(call -> ApiResponse.ok(requests.query(
                                call,
                                new QueueListQuery<>(
                                        call.path("partition"),
                                        (context, partition, queue) -> view(context, partition, queue))))),
                Route.get(PARTITION + "/queues/{queue}")
                        .named("getQueue", "queues")
                        .action("reading queues")
                        .role(Role.VIEWER)
                        .summary("Returns one queue by its path.")
                        .response(200, QueueView.class, "The queue.")
                        .problems(ProblemKind.NOT_FOUND)
                        .handledBy(call -> ApiResponse.ok(requests.read(call, context -> queue(context, call)))),
                Route.put(PARTITION + "/queues/{queue}/usagepriority")
                        .named("setUsagePriority", "queues")
                        .action("setting a usage priority")
                        .role(Role.OPERATOR)
                        .summary("Sets the usage priority of a queue whose parent has the share policy usage,"
                                + " regardless of past usage.")
                        .jsonBody(UsagePriorityDocument.class, "The usage priority.")
                        .response(200, QueueView.class, "The updated queue.")
                        .problems(ProblemKind.NOT_FOUND, ProblemKind.INVALID)
                        .handledBy(this::usagePriority),
                Route.get(CLASSES)
                        .named("listClasses", "classes")
                        .action("reading load classes")
                        .role(Role.VIEWER)
                        .summary("Lists the queues with share policy load and how each divides workers among its"
                                + " load classes.")
                        .listResponse(ClassesView.class, "The queues with share policy load.")
                        .problems(ProblemKind.NOT_FOUND)
                        .handledBy(call -> ApiResponse.ok(views(requests.query(
                                call, new QueueListQuery<>(call.path("partition"), PartitionRoutes::classesIfAny))))),
                Route.put(CLASSES + "/{queue}")
                        .named("setClasses", "classes")
                        .action("changing load classes")
                        .role(Role.ADMIN)
                        .summary("Changes the load percentages and rebalancing of a queue without downtime.")
                        .jsonBody(ClassesDocument.class, "The changes; omitted fields stay unchanged.")
                        .response(200, ClassesView.class, "The updated load classes.")
                        .problems(ProblemKind.NOT_FOUND, ProblemKind.INVALID)
                        .handledBy(this::setClasses),
                Route.get(PARTITION + "/requestors")
                        .named("getRequestors", "classes")
                        .action("reading the requestor map")
                        .role(Role.VIEWER)
                        .summary("Returns the requestor map: which users are placed in which load class.")
                        .response(200, RequestorsDocument.class, "The requestor map.")
                        .problems(ProblemKind.NOT_FOUND)
                        .handledBy(call ->
                                ApiResponse.ok(new RequestorsDocument(LoadSettings.requestorMap(requests.read(
                                        call,
                                        context -> Lookup.partition(context.state(), call)
                                                .configuration()))))),
                Route.put(PARTITION + "/requestors")
                        .named("setRequestors", "classes")
                        .action("changing the requestor map")
                        .role(Role.ADMIN)
                        .summary("Replaces the requestor map; an empty map removes its placement rules.")
                        .jsonBody(RequestorsDocument.class, "The requestor map.")
                        .response(200, RequestorsDocument.class, "The updated requestor map.")
                        .problems(ProblemKind.NOT_FOUND, ProblemKind.INVALID)
                        .handledBy(this::setRequestors));
    }

    private ApiResponse throttle(Call call) {
        ThrottleDocument document = call.body(ThrottleDocument.class);
        return ApiResponse.ok(requests.perform(call, "SetThrottle", context -> {
            Partition partition = Lookup.partition(context.state(), call);
            ProblemException.requireAccepted(
                    context.handle(new Command.SetThrottle(partition.name(), document.tasksMax())));
            return Views.partition(partition);
        }));
    }

    private static QueueView queue(TransactionContext context, Call call) {
        Partition partition = Lookup.partition(context.state(), call);
        return view(context, partition, Lookup.queue(partition, call.path("queue")));
    }

    private static QueueView view(TransactionContext context, Partition partition, Queue queue) {
        return new QueueViews(context.scheduler(), partition, context.now()).of(queue);
    }

    private ApiResponse usagePriority(Call call) {
        UsagePriorityDocument document = call.body(UsagePriorityDocument.class);
        return ApiResponse.ok(requests.perform(call, "SetUsagePriority", context -> {
            Partition partition = Lookup.partition(context.state(), call);
            String path = Lookup.queue(partition, call.path("queue")).path();
            ProblemException.requireAccepted(
                    context.handle(new Command.SetUsagePriority(partition.name(), path, document.priority())));
            return queue(context, call);
        }));
    }

    /**
     * A copy of a queue with share policy load; its view may have many classes, so it is built on another thread.
     *
     * @param configuration the configuration of its partition
     */
    private record Classes(
            PartitionConfiguration configuration,
            String path,
            @Nullable LoadWorkers workers) {

        static Classes of(TransactionContext context, Partition partition, Queue queue) {
            return new Classes(
                    partition.configuration(),
                    queue.path(),
                    context.scheduler().dividedBy(partition.name(), queue) instanceof LoadWorkers workers
                            ? workers
                            : null);
        }

        /** Returns the view, or null if the queue does not have share policy load. */
        @Nullable ClassesView view() {
            Map<String, Integer> percents = LoadSettings.classLoadPercents(configuration, path);
            Integer threshold = LoadSettings.rebalanceThreshold(configuration, path);
            Duration duration = LoadSettings.rebalanceMinimumDuration(configuration, path);
            if (percents == null || threshold == null || duration == null) {
                return null;
            }
            String warning = LoadSettings.percentWarning(configuration, path);
            return new ClassesView(
                    path,
                    percents,
                    threshold,
                    DurationText.format(duration),
                    workers == null ? null : workers.workers(),
                    workers == null ? null : workers.idle(),
                    warning == null ? List.of() : List.of(warning));
        }
    }

    private static @Nullable Classes classesIfAny(TransactionContext context, Partition partition, Queue queue) {
        return !queue.isLeaf() && queue.sharePolicy() == SharePolicyKind.LOAD && !queue.isDraining()
                ? Classes.of(context, partition, queue)
                : null;
    }

    private static List<ClassesView> views(List<Classes> classes) {
        List<ClassesView> views = new ArrayList<>();
        for (Classes each : classes) {
            ClassesView view = each.view();
            if (view != null) {
                views.add(view);
            }
        }
        return views;
    }

    /** Validates all changes against the configuration first, so that either all or none are made. */
    private ApiResponse setClasses(Call call) {
        ClassesDocument document = call.body(ClassesDocument.class);
        Duration duration = duration(document.rebalanceMinimumDuration());
        return ApiResponse.ok(requests.perform(call, "SetClasses", context -> {
            Partition partition = Lookup.partition(context.state(), call);
            Queue queue = Lookup.queue(partition, call.path("queue"));
            List<Command> commands = new ArrayList<>();
            try {
                var configuration = partition.configuration();
                if (document.percents() != null) {
                    configuration =
                            LoadSettings.withClassLoadPercents(configuration, queue.path(), document.percents());
                    commands.add(new Command.SetClassLoadPercents(partition.name(), queue.path(), document.percents()));
                }
                if (document.rebalanceThreshold() != null) {
                    configuration = LoadSettings.withRebalanceThreshold(
                            configuration, queue.path(), document.rebalanceThreshold());
                    commands.add(new Command.SetRebalanceThreshold(
                            partition.name(), queue.path(), document.rebalanceThreshold()));
                }
                if (duration != null) {
                    configuration = LoadSettings.withRebalanceMinimumDuration(configuration, queue.path(), duration);
                    commands.add(new Command.SetRebalanceMinimumDuration(partition.name(), queue.path(), duration));
                }
            } catch (IllegalArgumentException e) {
                throw ProblemException.of(ProblemKind.INVALID, String.valueOf(e.getMessage()));
            }
            commands.forEach(command -> ProblemException.requireAccepted(context.handle(command)));
            configurations.recordRevision(context, call.actor(), "load classes of " + queue.path());
            ClassesView view = Classes.of(context, partition, queue).view();
            if (view == null) {
                throw ProblemException.of(
                        ProblemKind.INVALID, "queue " + queue.path() + " does not have share policy load");
            }
            return view;
        }));
    }

    private static @Nullable Duration duration(@Nullable String text) {
        try {
            return text == null ? null : DurationText.parse(text);
        } catch (IllegalArgumentException e) {
            throw ProblemException.of(ProblemKind.INVALID, "rebalanceMinimumDuration: " + e.getMessage());
        }
    }

    private ApiResponse setRequestors(Call call) {
        RequestorsDocument document = call.body(RequestorsDocument.class);
        return ApiResponse.ok(requests.perform(call, "SetRequestorMap", context -> {
            Partition partition = Lookup.partition(context.state(), call);
            ProblemException.requireAccepted(
                    context.handle(new Command.SetRequestorMap(partition.name(), document.requestors())));
            configurations.recordRevision(context, call.actor(), "requestors of partition " + partition.name());
            return new RequestorsDocument(LoadSettings.requestorMap(partition.configuration()));
        }));
    }
}
