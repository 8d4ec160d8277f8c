package dev.sluice.cli.client;

import dev.sluice.server.api.ApplicationView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** Polls applications until they match a condition. */
public final class ApplicationWaiter {

    private static final Duration FIRST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofSeconds(2);

    private final ServerClient client;
    private final @Nullable Duration timeout;
    private final Consumer<ApplicationView> changed;

    public record Name(String partition, String application) {}

    /** The final responses, parsed and as received. */
    public record WaitResult(List<ApplicationView> applications, ArrayNode responses) {
        public WaitResult {
            applications = List.copyOf(applications);
        }
    }

    /**
     * @param timeout maximum time to wait, or null for no limit
     * @param changed called after every change of an application's state
     */
    public ApplicationWaiter(ServerClient client, @Nullable Duration timeout, Consumer<ApplicationView> changed) {
        this.client = client;
        this.timeout = timeout;
        this.changed = changed;
    }

    public static boolean isEnded(ApplicationView application) {
        return switch (application.state()) {
            case "Completed", "Failed", "Rejected", "Expired" -> true;
            default -> false;
        };
    }

    /** Polls until every application matches; throws {@link ClientException} on timeout. */
    public WaitResult until(List<Name> names, Predicate<ApplicationView> wanted) {
        Map<Name, JsonNode> finished = new LinkedHashMap<>();
        Map<Name, String> states = new LinkedHashMap<>();
        names.forEach(name -> finished.put(name, ClientJson.MAPPER.nullNode()));
        List<Name> open = new ArrayList<>(finished.keySet());
        long began = System.nanoTime();
        Duration pause = FIRST;
        while (true) {
            for (Name name : List.copyOf(open)) {
                JsonNode tree = client.get(
                                ApiPath.of("partitions", name.partition(), "applications", name.application()))
                        .tree();
                ApplicationView view = ClientJson.value(tree, ApplicationView.class);
                if (!view.state().equals(states.put(name, view.state()))) {
                    changed.accept(view);
                    pause = FIRST;
                }
                if (wanted.test(view)) {
                    finished.put(name, tree);
                    open.remove(name);
                }
            }
            if (open.isEmpty()) {
                return outcome(finished);
            }
            pause(pause, began, open);
            pause = pause.multipliedBy(2).compareTo(LONGEST) > 0 ? LONGEST : pause.multipliedBy(2);
        }
    }

    private static WaitResult outcome(Map<Name, JsonNode> finished) {
        ArrayNode responses = ClientJson.list();
        List<ApplicationView> views = new ArrayList<>();
        finished.values().forEach(tree -> {
            responses.add(tree);
            views.add(ClientJson.value(tree, ApplicationView.class));
        });
        return new WaitResult(views, responses);
    }

    private void pause(Duration pause, long began, List<Name> open) {
        if (timeout != null && System.nanoTime() - began + pause.toNanos() > timeout.toNanos()) {
            throw ClientException.failed("timed out: "
                    + String.join(", ", open.stream().map(Name::application).toList())
                    + (open.size() == 1 ? " has" : " have") + " not ended");
        }
        try {
            Thread.sleep(pause.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ClientException.failed("interrupted");
        }
    }
}
