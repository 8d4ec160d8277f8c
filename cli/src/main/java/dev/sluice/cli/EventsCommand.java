package dev.sluice.cli;

import dev.sluice.cli.answer.AnswerText;
import dev.sluice.cli.answer.EventLines;
import dev.sluice.cli.client.ApiPath;
import dev.sluice.cli.client.ClientJson;
import dev.sluice.cli.client.EventReader;
import dev.sluice.cli.client.Pages;
import dev.sluice.server.api.EventView;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
        name = "events",
        description = {
            "Show events from the journal",
            "",
            "Each event shows what happened and who caused it. With -o json and -f, every event is one line."
        },
        footerHeading = ServerCommand.EXAMPLES,
        footer = {
            "  sluice events",
            "  sluice events -f --application nightly-etl",
            "  sluice events -f --last 0 --type task.ended -o json | jq -c .data",
            "  sluice events --after 120000     # all events after number 120000",
            "",
            ServerCommand.EXIT_CODES
        })
final class EventsCommand extends ServerCommand {

    private static final int PAGE = 1000;

    /** Number of events to scan when there is a filter. */
    private static final long SCAN_MAX = 10_000;

    private static final long SHOWN = 50;

    @Option(
            names = {"-f", "--follow"},
            description = "Continuous output of new events.")
    private boolean follow;

    @Option(
            names = "--application",
            paramLabel = "APP",
            completionCandidates = Candidates.Applications.class,
            description = "Events of this application only.")
    private @Nullable String application;

    @Option(
            names = "--type",
            paramLabel = "TYPE",
            description = "Events of this type only, such as task.ended, or task for all task events.")
    private @Nullable String type;

    @Option(
            names = {"-n", "--last"},
            paramLabel = "N",
            description = "Number of latest events to scan. Default: 50, or 10000 with a filter.")
    private @Nullable Long last;

    @Option(names = "--after", paramLabel = "NUMBER", description = "Event number: all events after it.")
    private @Nullable Long after;

    /** Sequence number after which to follow when no past events are shown. */
    private @Nullable Long position;

    @Override
    public Integer call() {
        OptionValues.requireAtLeast(0, "--last", last);
        OptionValues.requireAtLeast(0, "--after", after);
        EventLines lines = new EventLines(style(), false);
        ObjectNode page = pastEvents();
        ArrayNode wanted = ClientJson.list();
        Long known = null;
        for (JsonNode item : page.path("items")) {
            EventView event = ClientJson.value(item, EventView.class);
            known = event.sequence();
            if (matches(event)) {
                wanted.add(item);
            }
        }
        if (!follow) {
            page.set("items", wanted);
            page.remove("next");
            show(page, () -> wanted.forEach(item -> print(lines, item)));
            return ExitCode.OK;
        }
        wanted.forEach(item -> print(lines, item));
        out().flush();
        follow(lines, known);
        return ExitCode.OK;
    }

    private boolean isFiltered() {
        return application != null || type != null || server().partitionAsWritten() != null;
    }

    private ObjectNode pastEvents() {
        ApiPath path = ApiPath.of("events");
        if (after != null) {
            return eventsAfter(path, after);
        }
        long count = last != null ? last : isFiltered() ? SCAN_MAX : SHOWN;
        if (count == 0) {
            // the newest event gives the position to follow from
            ObjectNode newest = Pages.all(client(), path.with("last", 1), 1);
            Long sequence = newest.path("items").isEmpty()
                    ? null
                    : newest.path("items").get(0).path("sequence").asLong();
            ObjectNode none = ClientJson.object();
            none.set("items", ClientJson.list());
            position = sequence;
            return none;
        }
        return Pages.all(client(), path.with("last", count), count);
    }

    private ObjectNode eventsAfter(ApiPath path, long from) {
        position = from;
        return Pages.all(client(), path, "after", Long.toString(from), PAGE, Long.MAX_VALUE);
    }

    private boolean matches(EventView event) {
        String partition = server().partitionAsWritten();
        return (partition == null || partition.equals(event.partition()))
                && (application == null || application.equals(event.data().get("application")))
                && (type == null || event.type().equals(type) || event.type().startsWith(type + "."));
    }

    private void follow(EventLines lines, @Nullable Long known) {
        ApiPath path = ApiPath.of("events", "stream")
                .with("partition", server().partitionAsWritten())
                .with("application", application)
                .with("type", type);
        EventReader.Listener listener = new EventReader.Listener() {
            @Override
            public boolean onEvent(EventView event, JsonNode response) {
                print(lines, response);
                out().flush();
                return !out().checkError();
            }

            @Override
            public void onGap(long first) {
                say("events before " + first + " are no longer in the journal");
            }
        };
        new EventReader(client(), path, known == null ? position : known, listener).read();
    }

    private void print(EventLines lines, JsonNode item) {
        switch (output().format()) {
            case TABLE -> out().println(lines.line(ClientJson.value(item, EventView.class), !follow));
            case JSON -> AnswerText.jsonLine(item, out());
            case YAML -> {
                out().println("---");
                AnswerText.yaml(item, out());
            }
        }
    }
}
