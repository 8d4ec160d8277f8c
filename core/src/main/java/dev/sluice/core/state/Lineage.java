package dev.sluice.core.state;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The successive applications of one user on one basis: the current tag, the tags it replaced, and the live
 * applications.
 */
public final class Lineage {

    private final String user;
    private final String basis;
    private String tag;
    private final Map<String, String> successors = new LinkedHashMap<>();
    private final Set<Application> living = new TreeSet<>(Application.BY_SEQUENCE);
    private final Map<String, Integer> livingByTag = new HashMap<>();

    Lineage(String user, String basis, String tag) {
        this.user = user;
        this.basis = basis;
        this.tag = tag;
    }

    public String user() {
        return user;
    }

    /** Returns the basis that its applications are built on. */
    public String basis() {
        return basis;
    }

    /** Returns the current tag: that of the latest application. */
    public String tag() {
        return tag;
    }

    /** Returns the tag that replaced this one; null if it was not replaced, or so long ago that it is forgotten. */
    public @Nullable String successor(String replaced) {
        return successors.get(replaced);
    }

    /** Returns the replaced tags and their successors, the earliest first. */
    public Map<String, String> successors() {
        return Collections.unmodifiableMap(successors);
    }

    /** Returns its live applications (not ended and not failing) in the order of submission. */
    public Set<Application> living() {
        return Collections.unmodifiableSet(living);
    }

    /** Returns its live applications with other tags than this one, in the order of submission. */
    public List<Application> livingExcept(String kept) {
        if (livingByTag.getOrDefault(kept, 0) == living.size()) {
            return List.of();
        }
        List<Application> others = new ArrayList<>();
        for (Application application : living) {
            if (!kept.equals(application.spec().tag())) {
                others.add(application);
            }
        }
        return others;
    }

    void add(Application application) {
        String next = tagOf(application);
        if (!next.equals(tag)) {
            successors.remove(next);
            successors.remove(tag);
            successors.put(tag, next);
            tag = next;
            if (successors.size() > SchedulerLimits.LINEAGE_TAGS_MAX) {
                Iterator<String> longestAgo = successors.keySet().iterator();
                longestAgo.next();
                longestAgo.remove();
            }
        }
        addLive(application);
    }

    void remove(Application application) {
        if (living.remove(application)) {
            livingByTag.computeIfPresent(tagOf(application), (key, count) -> count == 1 ? null : count - 1);
        }
    }

    void writeTo(PartitionCheckpointWriter out) {
        out.sink().text(user);
        out.sink().text(basis);
        out.sink().text(tag);
        out.sink().number(successors.size());
        successors.forEach((replaced, next) -> {
            out.sink().text(replaced);
            out.sink().text(next);
        });
    }

    /** Reads a lineage, without live applications. */
    static Lineage readFrom(PartitionCheckpointReader in) {
        StateSource source = in.source();
        Lineage lineage = new Lineage(source.text(), source.text(), source.text());
        for (int left = in.count(); left > 0; left--) {
            lineage.successors.put(source.text(), source.text());
        }
        return lineage;
    }

    /** Marks an application that was added before as live. */
    void addLive(Application application) {
        living.add(application);
        livingByTag.merge(tagOf(application), 1, Integer::sum);
    }

    private static String tagOf(Application application) {
        return Objects.requireNonNull(application.spec().tag(), "applications of a lineage have a tag");
    }

    @Override
    public String toString() {
        return user + "/" + basis;
    }
}
