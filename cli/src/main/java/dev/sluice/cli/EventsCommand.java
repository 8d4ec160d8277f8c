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

/** Shows what has happened. */
@Command(
        name = "events",
        description = {
            "Show what has happened lately and who did it, from the journal; with -f also what happens from now on. With json and"
                    + " -f every event is a line of its own."
        },
        footerHeading = ServerCommand.EXAMPLES,
        footer = {
            "  sluice events",
            "  sluice events -f --application nightly-etl",
            "  sluice events -f --last 0 -o json | jq -c 'select(.type == \"task.ended\") | .data'",
            "  sluice events --after 120000                 all that came after event 120000",
            "",
            ServerCommand.EXIT_CODES
        })
final class EventsCommand extends ServerCommand {

    private static final int PAGE = 1000;

    /** Events that are looked through for those that are wanted. */
    private static final long SCAN_MAX = 10_000;

    private static final long SHOWN = 50;

    @Option(
            names = {"-f", "--follow"},
            description = "Go on with what happens from now on.")
    private boolean follow;

    @Option(names = "--application", paramLabel = "APP", description = "Only what concerns this application.")
    private @Nullable String application;

    @Option(
            names = "--type",
            paramLabel = "TYPE",
            description = "Only what is of this type, such as task.ended, or task for all about tasks.")
    private @Nullable String type;

    @Option(
            names = {"-n", "--last"},
            paramLabel = "N",
            description = "Look at the last so many events. Default: 50; 10000 where only some are wanted.")
    private @Nullable Long last;

    @Option(names = "--after", paramLabel = "NUMBER", description = "Look at all events after the one of this number.")
    private @Nullable Long after;

    /** Where what comes from now on begins, if nothing is shown of what was before. */
    private @Nullable Long position;

    @Override
    public Integer call() {
        OptionValues.requireAtLeast(0, "--last", last);
        OptionValues.requireAtLeast(0, "--after", after);
        EventLines lines = new EventLines(style(), false);
        ObjectNode page = past();
        ArrayNode wanted = ClientJson.list();
        Long known = null;
        for (JsonNode item : page.path("items")) {
            EventView event = ClientJson.value(item, EventView.class);
            known = event.sequence();
            if (isWanted(event)) {
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

    private ObjectNode past() {
        ApiPath path = ApiPath.of("events");
        if (after != null) {
            return everything(path, after);
        }
        long count = last != null ? last : isFiltered() ? SCAN_MAX : SHOWN;
        if (count == 0) {
            // the newest alone tells where to go on
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

    private ObjectNode everything(ApiPath path, long from) {
        position = from;
        return Pages.all(client(), path, "after", Long.toString(from), PAGE, Long.MAX_VALUE);
    }

    private boolean isWanted(EventView event) {
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
            public boolean onEvent(EventView event, JsonNode asSent) {
                print(lines, asSent);
                out().flush();
                return !out().checkError();
            }

            @Override
            public void onGap(long first) {
                say("what happened before event " + first + " is not kept any more");
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
