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

/** Waits until applications are as somebody wants them. */
public final class Waiting {

    private static final Duration FIRST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofSeconds(2);

    private final ServerClient client;
    private final @Nullable Duration most;
    private final Consumer<ApplicationView> changed;

    /** An application of a partition. */
    public record Name(String partition, String application) {}

    /** What was waited for, as it was when that was over, and as the server sent it. */
    public record Outcome(List<ApplicationView> applications, ArrayNode asSent) {
        /** Copies the list. */
        public Outcome {
            applications = List.copyOf(applications);
        }
    }

    /**
     * Waits.
     *
     * @param most how long at most; null: for ever
     * @param changed is told of every change of an application's state
     */
    public Waiting(ServerClient client, @Nullable Duration most, Consumer<ApplicationView> changed) {
        this.client = client;
        this.most = most;
        this.changed = changed;
    }

    /** Whether an application has ended. */
    public static boolean isEnded(ApplicationView application) {
        return switch (application.state()) {
            case "Completed", "Failed", "Rejected", "Expired" -> true;
            default -> false;
        };
    }

    /** Waits until each of these is as wanted. */
    public Outcome until(List<Name> names, Predicate<ApplicationView> wanted) {
        Map<Name, JsonNode> over = new LinkedHashMap<>();
        Map<Name, String> states = new LinkedHashMap<>();
        names.forEach(name -> over.put(name, ClientJson.MAPPER.nullNode()));
        List<Name> open = new ArrayList<>(over.keySet());
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
                    over.put(name, tree);
                    open.remove(name);
                }
            }
            if (open.isEmpty()) {
                return outcome(over);
            }
            pause(pause, began, open);
            pause = pause.multipliedBy(2).compareTo(LONGEST) > 0 ? LONGEST : pause.multipliedBy(2);
        }
    }

    private static Outcome outcome(Map<Name, JsonNode> over) {
        ArrayNode asSent = ClientJson.list();
        List<ApplicationView> views = new ArrayList<>();
        over.values().forEach(tree -> {
            asSent.add(tree);
            views.add(ClientJson.value(tree, ApplicationView.class));
        });
        return new Outcome(views, asSent);
    }

    private void pause(Duration pause, long began, List<Name> open) {
        if (most != null && System.nanoTime() - began + pause.toNanos() > most.toNanos()) {
            throw ClientException.failed("waited long enough: "
                    + String.join(", ", open.stream().map(Name::application).toList())
                    + (open.size() == 1 ? " is" : " are") + " not there yet");
        }
        try {
            Thread.sleep(pause.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ClientException.failed("interrupted");
        }
    }
}
