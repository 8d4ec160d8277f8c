package dev.sluice.core.state;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Who has how many applications in a partition that have not ended. */
public final class Users {

    private final Map<String, Integer> applications = new LinkedHashMap<>();

    Users() {}

    /** The users with such applications and how many they have. */
    public Map<String, Integer> applications() {
        return Collections.unmodifiableMap(applications);
    }

    /** How many of them this user has. */
    public int applicationsOf(String user) {
        return applications.getOrDefault(user, 0);
    }

    void add(String user) {
        applications.merge(user, 1, Integer::sum);
    }

    void remove(String user) {
        applications.computeIfPresent(user, (key, count) -> count == 1 ? null : count - 1);
    }
}
