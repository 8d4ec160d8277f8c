package dev.sluice.core.state;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** The number of unfinished applications of each user of a partition. */
public final class Users {

    private final Map<String, Integer> applications = new LinkedHashMap<>();
    private long all;

    Users() {}

    /** Returns the users with unfinished applications and how many each has. */
    public Map<String, Integer> applications() {
        return Collections.unmodifiableMap(applications);
    }

    /** Returns the number of unfinished applications of this user. */
    public int applicationsOf(String user) {
        return applications.getOrDefault(user, 0);
    }

    /** Returns the number of unfinished applications of all users. */
    public long applicationsOfAll() {
        return all;
    }

    void writeTo(PartitionCheckpointWriter out) {
        out.sink().number(applications.size());
        applications.forEach((user, count) -> {
            out.sink().text(user);
            out.sink().number(count);
        });
    }

    void readFrom(PartitionCheckpointReader in) {
        for (int left = in.count(); left > 0; left--) {
            String user = in.source().text();
            int count = in.number(1);
            applications.put(user, count);
            all += count;
        }
    }

    void add(String user) {
        applications.merge(user, 1, Integer::sum);
        all++;
    }

    void remove(String user) {
        applications.computeIfPresent(user, (key, count) -> {
            all--;
            return count == 1 ? null : count - 1;
        });
    }
}
