package dev.sluice.server.routes;

import dev.sluice.config.snapshot.ApplicationEntry;
import dev.sluice.core.application.ApplicationCondition;
import dev.sluice.core.application.StartConditions;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the query parameters that change the applications of a submitted file. */
final class SubmissionParameters {

    private SubmissionParameters() {}

    /** Returns the start conditions of the file, overridden by those of the request. */
    static StartConditions combined(StartConditions file, StartConditions request) {
        Map<String, ApplicationCondition> after = new LinkedHashMap<>(file.after());
        after.putAll(request.after());
        return new StartConditions(
                file.hold() || request.hold(),
                request.notBefore() == null ? file.notBefore() : request.notBefore(),
                after);
    }

    /** Returns the applications of a file; a single one under this id and name unless they are null. */
    static List<ApplicationEntry> named(List<ApplicationEntry> entries, @Nullable String id, @Nullable String name) {
        for (String given : id == null && name == null ? List.<String>of() : Arrays.asList(id, name)) {
            if (given != null && (given.isEmpty() || given.length() > TaskSpec.NAME_LENGTH_MAX)) {
                throw ProblemException.of(
                        ProblemKind.INVALID, "id and name must have 1 to " + TaskSpec.NAME_LENGTH_MAX + " characters");
            }
        }
        if (id == null && name == null) {
            return entries;
        }
        if (entries.size() != 1) {
            throw ProblemException.of(
                    ProblemKind.INVALID,
                    "an id or name cannot be given for a file with " + entries.size()
                            + " applications: write the ids and names into the file");
        }
        return List.of(entries.get(0).named(id, name));
    }

    /** Returns the applications that a request says to start after. */
    static Map<String, ApplicationCondition> after(Call call) {
        Map<String, ApplicationCondition> after = new LinkedHashMap<>();
        String text = call.query("after");
        for (String each : text == null ? new String[0] : text.split(",")) {
            String application = each;
            ApplicationCondition condition = ApplicationCondition.SUCCEEDED;
            for (ApplicationCondition known : ApplicationCondition.values()) {
                if (each.endsWith(":" + known.wireName())) {
                    application = each.substring(0, each.lastIndexOf(':'));
                    condition = known;
                }
            }
            if (application.isBlank()) {
                throw ProblemException.of(
                        ProblemKind.INVALID, "after: expected ID or ID:condition, not \"" + each + "\"");
            }
            after.put(application, condition);
        }
        return after;
    }
}
