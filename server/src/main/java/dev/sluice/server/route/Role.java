package dev.sluice.server.route;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The role a route requires, in ascending order: each role includes those before it, but an agent cannot submit or
 * change applications.
 */
public enum Role {
    ANYONE("anyone", "anyone who can reach the server"),
    VIEWER("viewer", "may read everything but logs of others, snapshots and the audit log"),
    SUBMITTER("submitter", "may submit applications, and change or cancel their own"),
    AGENT("agent", "runs tasks on nodes and reports their status"),
    OPERATOR("operator", "may change nodes and all applications"),
    ADMIN("admin", "may change the configuration");

    private final String wireName;
    private final String meaning;

    Role(String wireName, String meaning) {
        this.wireName = wireName;
        this.meaning = meaning;
    }

    /** Returns the role with this wire name, or null. */
    public static @Nullable Role of(String wireName) {
        return Arrays.stream(values())
                .filter(role -> role.wireName.equals(wireName))
                .findFirst()
                .orElse(null);
    }

    /** Returns whether a caller with this role may call routes that require another one. */
    public boolean includes(Role required) {
        return this == AGENT ? required != SUBMITTER && compareTo(required) >= 0 : compareTo(required) >= 0;
    }

    /** Returns the name used in OpenAPI. */
    public String wireName() {
        return wireName;
    }

    /** Returns what the role permits. */
    public String meaning() {
        return meaning;
    }
}
