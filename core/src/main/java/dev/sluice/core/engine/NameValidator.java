package dev.sluice.core.engine;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskKind;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Refusal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Refuses control characters in names: no file that is written by hand can hold them, and a terminal obeys them. */
final class NameValidator {

    private NameValidator() {}

    /** Why an application cannot be named like this, or null. Its tasks are not looked at. */
    static @Nullable Refusal refuse(ApplicationSpec spec) {
        Refusal refusal = refuse("the id of the application", spec.id());
        refusal = refusal == null ? refuse("the name of the application", spec.name()) : refusal;
        refusal = refusal == null ? refuse("the user of the application", spec.user()) : refusal;
        refusal = refusal == null ? refuse("the queue of the application", spec.queue()) : refusal;
        refusal = refusal == null ? refuse("the tag of the application", spec.tag()) : refusal;
        refusal = refusal == null ? refuse("the basis of the application", spec.basis()) : refusal;
        for (String group : spec.groups()) {
            refusal = refusal == null ? refuse("a group of the application", group) : refusal;
        }
        return refusal == null ? refuse("a tag of the application", spec.tags()) : refusal;
    }

    /** Why tasks cannot be named like this, or null. */
    static @Nullable Refusal refuse(List<TaskSpec> tasks) {
        for (TaskSpec task : tasks) {
            TaskKind kind = task.kind();
            Refusal refusal = refuse("the id of a task", task.name());
            refusal = refusal == null ? refuse("the durationkey of a task", kind.durationKey()) : refusal;
            refusal = refusal == null ? refuse("the node of a task", kind.requiredNode()) : refusal;
            refusal = refusal == null ? refuse("a label of a task", kind.requiredLabels()) : refusal;
            if (refusal != null) {
                return refusal;
            }
        }
        return null;
    }

    /** Why these keys and values cannot be taken, or null. */
    static @Nullable Refusal refuse(String what, Map<String, String> texts) {
        for (Map.Entry<String, String> entry : texts.entrySet()) {
            Refusal refusal = refuse(what, entry.getKey());
            refusal = refusal == null ? refuse(what, entry.getValue()) : refusal;
            if (refusal != null) {
                return refusal;
            }
        }
        return null;
    }

    /** Why this name cannot be taken, or null. */
    static @Nullable Refusal refuse(String what, @Nullable String name) {
        if (name == null) {
            return null;
        }
        for (int i = 0; i < name.length(); i++) {
            if (Character.isISOControl(name.charAt(i))) {
                return new Refusal(
                        Refusal.Code.INVALID,
                        what + " contains a control character, " + codeOf(name.charAt(i)) + " at position " + (i + 1)
                                + ": remove it");
            }
        }
        return null;
    }

    private static String codeOf(char c) {
        String digits = Integer.toHexString(c).toUpperCase(Locale.ROOT);
        return "U+" + "0".repeat(4 - digits.length()) + digits;
    }
}
