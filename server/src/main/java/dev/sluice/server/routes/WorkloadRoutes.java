package dev.sluice.server.routes;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.config.output.AmountsOutput;
import dev.sluice.config.output.Output;
import dev.sluice.config.output.Output.OutputList;
import dev.sluice.config.output.Output.OutputMap;
import dev.sluice.config.output.YamlPrinter;
import dev.sluice.config.queues.QueueConfigurationWriter;
import dev.sluice.config.snapshot.ConstraintsWriter;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.Resources;
import dev.sluice.runtime.journal.FinishedQuery;
import dev.sluice.runtime.journal.HistoryRecord.FinishedApplication;
import dev.sluice.runtime.journal.JournalStore;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.server.api.NodeView;
import dev.sluice.server.configuration.Configurations;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Role;
import dev.sluice.server.route.Route;
import dev.sluice.server.view.ConstraintViews;
import dev.sluice.server.view.Views;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;

/** The route that exports the history as a workload for simulations. */
public final class WorkloadRoutes {

    private static final String YAML = "application/yaml";
    private static final String LIST = "applications";
    private static final int PAGE = 100;

    private final Requests requests;
    private final JournalStore store;
    private final Configurations configurations;
    private final JsonMapper json;

    public WorkloadRoutes(Requests requests, JournalStore store, Configurations configurations, JsonMapper json) {
        this.requests = requests;
        this.store = store;
        this.configurations = configurations;
        this.json = json;
    }

    public List<Route> routes() {
        return List.of(HistoryRoutes.withFilters(Route.get("/history/workload")
                        .named("getWorkload", "history")
                        .action("exporting a workload")
                        .role(Role.VIEWER)
                        .summary("Returns ended applications as a job file for sluice simulate: when they were"
                                + " submitted and how long their tasks ran, with the current nodes and queues."))
                .textResponse("The job file.", YAML)
                .problems(ProblemKind.NOT_FOUND, ProblemKind.INVALID)
                .handledBy(this::workload));
    }

    private ApiResponse workload(Call call) {
        String partitionName = HistoryRoutes.partition(call);
        FinishedQuery query = HistoryRoutes.query(call, Long.MAX_VALUE, PAGE);
        List<NodeView> nodes = requests.query(
                call,
                new NodeListQuery<>(
                        partitionName,
                        node -> true,
                        (partition, node, budget) -> Views.node(partition, node, NodeView.AGENT)));
        OutputMap head = new OutputMap();
        List<PartitionConfiguration> partitions = configurations.partitions().stream()
                .filter(partition -> partition.name().equals(partitionName))
                .toList();
        head.put("partitions", QueueConfigurationWriter.output(partitions));
        if (!nodes.isEmpty()) {
            head.put("nodes", OutputList.of(nodes, node -> node(node, partitionName)));
        }
        Set<String> names = nodes.stream().map(NodeView::name).collect(Collectors.toSet());
        return new ApiResponse(
                200, new WorkloadBody(store, query, head, new WorkloadApplications(store, json, names)), Map.of());
    }

    private static OutputMap node(NodeView node, String partition) {
        OutputMap map = new OutputMap().put("name", Output.text(node.name()));
        putPartition(map, partition);
        map.put("capacity", AmountsOutput.of(resources(node.capacity())));
        if (!node.labels().isEmpty()) {
            map.put("labels", Output.texts(node.labels()));
        }
        if (!node.taints().isEmpty()) {
            map.put("taints", OutputList.of(ConstraintViews.taintsOf(node.taints()), ConstraintsWriter::taint));
        }
        return map;
    }

    static void putPartition(OutputMap map, String partition) {
        if (!partition.equals(PartitionConfiguration.DEFAULT_NAME)) {
            map.put("partition", Output.text(partition));
        }
    }

    static Resources resources(Map<String, Long> amounts) {
        SortedMap<String, Amount> resources = new TreeMap<>();
        amounts.forEach((type, amount) -> resources.put(type, new Amount(amount)));
        return Resources.of(resources);
    }

    /** A job file that is written page by page: it may be larger than the memory. */
    private record WorkloadBody(
            JournalStore store, FinishedQuery query, OutputMap head, WorkloadApplications applications)
            implements ApiResponse.StreamBody {

        @Override
        public String type() {
            return YAML;
        }

        @Override
        public void write(OutputStream out) throws IOException {
            Writer writer = new OutputStreamWriter(out, UTF_8);
            YamlPrinter.print(head, writer);
            long left = 0;
            boolean some = false;
            FinishedQuery page = query;
            try {
                while (true) {
                    List<FinishedApplication> found = store.finished(page);
                    if (found.isEmpty()) {
                        break;
                    }
                    List<OutputMap> converted = new ArrayList<>();
                    for (FinishedApplication application : found) {
                        WorkloadApplications.Converted result = applications.convert(application);
                        left += result.tasksLeftOut();
                        if (result.map() != null) {
                            converted.add(result.map());
                        }
                    }
                    if (!converted.isEmpty()) {
                        String text = YamlPrinter.print(
                                new OutputMap().put(LIST, OutputList.of(converted, application -> application)));
                        writer.append(some ? text.substring(text.indexOf('\n') + 1) : text);
                        some = true;
                    }
                    page = page.before(found.get(found.size() - 1).sequence());
                }
            } catch (StoreException e) {
                throw new IOException("cannot read the history: " + e.getMessage(), e);
            }
            if (!some) {
                writer.append(LIST).append(": []\n");
            }
            if (left > 0) {
                writer.append("# left out: ")
                        .append(Long.toString(left))
                        .append(" tasks beyond the first 1,000 task groups of their applications\n");
            }
            writer.flush();
        }

        @Override
        public void close() {}
    }
}
