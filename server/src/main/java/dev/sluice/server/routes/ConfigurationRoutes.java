package dev.sluice.server.routes;

import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.queues.QueueConfigurationReader;
import dev.sluice.config.queues.QueueConfigurationWriter;
import dev.sluice.core.command.Command;
import dev.sluice.core.command.Refusal;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.runtime.journal.HistoryRecord;
import dev.sluice.runtime.journal.JournalStore;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.server.api.ConfigurationCheckResult;
import dev.sluice.server.api.RevisionPage;
import dev.sluice.server.api.RevisionView;
import dev.sluice.server.api.RollbackDocument;
import dev.sluice.server.configuration.ConfigurationChanges;
import dev.sluice.server.configuration.Configurations;
import dev.sluice.server.configuration.WrittenConfiguration;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.Parameter;
import dev.sluice.server.route.ProblemDetails;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Role;
import dev.sluice.server.route.Route;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Routes of the configuration. */
public final class ConfigurationRoutes {

    private static final String CONFIGURATION = "/configuration";
    private static final String TOPIC = "configuration";
    private static final int PAGE = 50;
    private static final int PAGE_MAX = 500;

    /** Stands for any current revision. */
    private static final long ANY = -1;

    private final Requests requests;
    private final Configurations configurations;
    private final JournalStore store;

    /** Creates the routes; the history of revisions is in this store. */
    public ConfigurationRoutes(Requests requests, Configurations configurations, JournalStore store) {
        this.requests = requests;
        this.configurations = configurations;
        this.store = store;
    }

    public List<Route> routes() {
        return List.of(
                Route.get(CONFIGURATION)
                        .named("getConfiguration", TOPIC)
                        .action("reading the configuration")
                        .role(Role.VIEWER)
                        .summary("Returns the current configuration as queues.yaml.")
                        .response(200, RevisionView.class, "The configuration.")
                        .handledBy(call -> {
                            Configurations.CurrentRevision current = configurations.current();
                            return ApiResponse.ok(
                                    view(current, QueueConfigurationWriter.yaml(current.partitions()), null));
                        }),
                Route.post(CONFIGURATION + "/validate")
                        .named("validateConfiguration", TOPIC)
                        .action("validating a configuration")
                        .role(Role.VIEWER)
                        .summary(
                                "Validates a configuration and returns the changes it would make, without applying it.")
                        .documentBody(null, "A queues.yaml.")
                        .response(200, ConfigurationCheckResult.class, "The configuration can be applied.")
                        .problems(ProblemKind.INVALID, ProblemKind.CONFLICT, ProblemKind.TOO_MUCH)
                        .handledBy(this::validate),
                Route.put(CONFIGURATION)
                        .named("applyConfiguration", TOPIC)
                        .action("applying a configuration")
                        .role(Role.ADMIN)
                        .summary("Applies a configuration without downtime; removed queues drain first.")
                        .query("note", Parameter.Type.TEXT, "Note for the history.")
                        .query(
                                "basis",
                                Parameter.Type.NUMBER,
                                "Number of the revision that was edited; refused with conflict if another one is"
                                        + " current.")
                        .documentBody(null, "A queues.yaml.")
                        .response(200, RevisionView.class, "The current configuration.")
                        .problems(ProblemKind.INVALID, ProblemKind.CONFLICT, ProblemKind.TOO_MUCH)
                        .handledBy(this::apply),
                Route.get(CONFIGURATION + "/history")
                        .named("listRevisions", TOPIC)
                        .action("reading the configuration")
                        .role(Role.VIEWER)
                        .summary("Lists the configuration revisions, newest first.")
                        .query(
                                "before",
                                Parameter.Type.NUMBER,
                                "Only revisions with a lower number: next of the previous page.")
                        .query(
                                "limit",
                                Parameter.Type.NUMBER,
                                "Maximum number of results: 1 to " + PAGE_MAX + "; defaults to " + PAGE + ".")
                        .response(200, RevisionPage.class, "The revisions.")
                        .problems(ProblemKind.INVALID)
                        .handledBy(this::history),
                Route.get(CONFIGURATION + "/history/{revision}")
                        .named("getRevision", TOPIC)
                        .action("reading the configuration")
                        .role(Role.VIEWER)
                        .summary("Returns one configuration revision.")
                        .response(200, RevisionView.class, "The configuration.")
                        .problems(ProblemKind.NOT_FOUND, ProblemKind.INVALID)
                        .handledBy(call -> ApiResponse.ok(view(revision(number(call.path("revision"))), true))),
                Route.post(CONFIGURATION + "/rollback")
                        .named("rollBackConfiguration", TOPIC)
                        .action("rolling back the configuration")
                        .role(Role.ADMIN)
                        .summary("Applies a previous configuration; it becomes a new revision.")
                        .jsonBody(RollbackDocument.class, "The revision.")
                        .response(200, RevisionView.class, "The current configuration.")
                        .problems(
                                ProblemKind.NOT_FOUND, ProblemKind.INVALID, ProblemKind.CONFLICT, ProblemKind.TOO_MUCH)
                        .handledBy(this::rollBack));
    }

    private static RevisionView view(
            Configurations.CurrentRevision current, String text, @Nullable List<ProblemDetails.Location> warnings) {
        return new RevisionView(current.revision(), current.at(), current.by(), current.note(), text, warnings);
    }

    private static RevisionView view(HistoryRecord.ConfigurationRevision revision, boolean withText) {
        return new RevisionView(
                revision.revision(),
                revision.at(),
                revision.actor(),
                revision.note(),
                withText ? revision.text() : null,
                null);
    }

    /** Reads a configuration; throws a problem with the locations of errors. */
    static ParseResult<List<PartitionConfiguration>> read(String text) {
        ParseResult<List<PartitionConfiguration>> reading = QueueConfigurationReader.read("body", text);
        if (!reading.isOk()) {
            throw ProblemException.of(reading);
        }
        return reading;
    }

    private ApiResponse validate(Call call) {
        ParseResult<List<PartitionConfiguration>> reading = read(call.text());
        Optional<Refusal> refusal = requests.query(call, new ConfigurationQuery(reading.value()));
        if (refusal.isPresent()) {
            throw ProblemException.of(refusal.get());
        }
        ConfigurationChanges changes = ConfigurationChanges.between(configurations.partitions(), reading.value());
        return ApiResponse.ok(new ConfigurationCheckResult(
                true, ProblemLocations.ofWarnings(reading), changes.sentences(), changes.diff()));
    }

    private ApiResponse apply(Call call) {
        String note = call.query("note");
        long basis = call.number("basis", ANY, 0, Long.MAX_VALUE);
        return apply(call, read(call.text()), note == null ? "" : note, basis);
    }

    private ApiResponse apply(Call call, ParseResult<List<PartitionConfiguration>> reading, String note, long basis) {
        List<PartitionConfiguration> partitions = reading.value();
        WrittenConfiguration written = WrittenConfiguration.of(partitions);
        Configurations.CurrentRevision current = requests.perform(call, "ApplyConfiguration", context -> {
            requireCurrent(basis);
            ProblemException.requireAccepted(context.handle(new Command.ApplyConfiguration(partitions)));
            configurations.recordRevision(context, call.actor(), note, written::textOf);
            return configurations.current();
        });
        return ApiResponse.ok(
                view(current, written.textOf(current.partitions()), ProblemLocations.ofWarnings(reading)));
    }

    private ApiResponse rollBack(Call call) {
        RollbackDocument document = call.body(RollbackDocument.class);
        HistoryRecord.ConfigurationRevision revision = revision(document.revision());
        String note = document.note();
        return apply(
                call,
                read(revision.text()),
                note == null || note.isBlank() ? "rollback to revision " + revision.revision() : note,
                ANY);
    }

    private void requireCurrent(long basis) {
        Configurations.CurrentRevision current = configurations.current();
        if (basis != ANY && basis != current.revision()) {
            throw ProblemException.of(
                    ProblemKind.CONFLICT,
                    "revision " + current.revision() + (current.by().isEmpty() ? "" : " of " + current.by())
                            + " is current, and this configuration is based on revision " + basis
                            + "; merge both, then apply the result");
        }
    }

    private ApiResponse history(Call call) {
        int limit = (int) call.number("limit", PAGE, 1, PAGE_MAX);
        long before = call.number("before", Long.MAX_VALUE, 1, Long.MAX_VALUE);
        List<HistoryRecord.ConfigurationRevision> revisions = revisions(before, limit + 1);
        List<RevisionView> views = new ArrayList<>();
        for (HistoryRecord.ConfigurationRevision revision : revisions) {
            if (views.size() < limit) {
                views.add(view(revision, false));
            }
        }
        String next = revisions.size() > limit
                ? Long.toString(revisions.get(limit - 1).revision())
                : null;
        return ApiResponse.ok(new RevisionPage(views, next));
    }

    private static long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw ProblemException.of(ProblemKind.INVALID, "revision must be a number, not " + text);
        }
    }

    private HistoryRecord.ConfigurationRevision revision(long number) {
        List<HistoryRecord.ConfigurationRevision> found =
                number < 1 || number == Long.MAX_VALUE ? List.of() : revisions(number + 1, 1);
        if (found.isEmpty() || found.get(0).revision() != number) {
            throw ProblemException.of(ProblemKind.NOT_FOUND, "configuration revision " + number + " not found");
        }
        return found.get(0);
    }

    private List<HistoryRecord.ConfigurationRevision> revisions(long before, int limit) {
        try {
            return store.revisions(before, limit);
        } catch (StoreException e) {
            throw ProblemException.retry(
                    ProblemKind.UNAVAILABLE, "cannot read the history: " + e.getMessage(), Duration.ofSeconds(5), e);
        }
    }
}
