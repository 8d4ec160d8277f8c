package dev.sluice.core.engine;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskKind;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Refusal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Refuses control characters in names: configuration files cannot contain them, and terminals interpret them. */
final class NameValidator {

    private NameValidator() {}

    /** Validates the names of an application without its tasks; returns null if they are valid. */
    static @Nullable Refusal validate(ApplicationSpec spec) {
        Refusal refusal = validate("application id", spec.id());
        refusal = refusal == null ? validate("application name", spec.name()) : refusal;
        refusal = refusal == null ? validate("user", spec.user()) : refusal;
        refusal = refusal == null ? validate("queue", spec.queue()) : refusal;
        refusal = refusal == null ? validate("tag", spec.tag()) : refusal;
        refusal = refusal == null ? validate("basis", spec.basis()) : refusal;
        for (String group : spec.groups()) {
            refusal = refusal == null ? validate("group", group) : refusal;
        }
        return refusal == null ? validate("application tag", spec.tags()) : refusal;
    }

    /** Validates the names of tasks; returns null if they are valid. */
    static @Nullable Refusal validate(List<TaskSpec> tasks) {
        for (TaskSpec task : tasks) {
            TaskKind kind = task.kind();
            Refusal refusal = validate("task id", task.name());
            refusal = refusal == null ? validate("durationkey", kind.durationKey()) : refusal;
            refusal = refusal == null ? validate("required node", kind.requiredNode()) : refusal;
            refusal = refusal == null ? validate("required label", kind.requiredLabels()) : refusal;
            if (refusal != null) {
                return refusal;
            }
        }
        return null;
    }

    /** Validates keys and values; returns null if they are valid. */
    static @Nullable Refusal validate(String what, Map<String, String> texts) {
        for (Map.Entry<String, String> entry : texts.entrySet()) {
            Refusal refusal = validate(what, entry.getKey());
            refusal = refusal == null ? validate(what, entry.getValue()) : refusal;
            if (refusal != null) {
                return refusal;
            }
        }
        return null;
    }

    /**
     * Validates one name; returns null if it is valid or absent.
     *
     * @param what the kind of name, for the message
     */
    static @Nullable Refusal validate(String what, @Nullable String name) {
        if (name == null) {
            return null;
        }
        for (int i = 0; i < name.length(); i++) {
            if (Character.isISOControl(name.charAt(i))) {
                return new Refusal(
                        Refusal.Code.INVALID,
                        what + " contains the control character " + codeOf(name.charAt(i)) + " at position " + (i + 1)
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
