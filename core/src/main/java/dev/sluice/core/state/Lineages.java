package dev.sluice.core.state;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The lineages of a partition: applications grouped by user, tag and basis. An application is in its lineage from its
 * submission until it ends or is failing; a rejected one never is.
 *
 * <p>The number of remembered lineages without live applications is bounded; the one idle for longest is forgotten.
 */
public final class Lineages {

    private final int idleMax;
    private final Map<Key, Lineage> lineages = new LinkedHashMap<>();
    private final Set<Key> idle = new LinkedHashSet<>();
    private final Map<Tagged, Set<Application>> living = new HashMap<>();

    private record Key(String user, String basis) {}

    private record Tagged(String user, String tag) {}

    Lineages(int idleMax) {
        this.idleMax = idleMax;
    }

    /** Returns the lineage of this user on this basis, or null if none is remembered. */
    public @Nullable Lineage find(String user, String basis) {
        return lineages.get(new Key(user, basis));
    }

    /** Returns all remembered lineages in the order of their creation. */
    public Collection<Lineage> all() {
        return Collections.unmodifiableCollection(lineages.values());
    }

    /** Returns the live applications of this user with this tag, on any basis, in the order of submission. */
    public Set<Application> living(String user, String tag) {
        return Collections.unmodifiableSet(living.getOrDefault(new Tagged(user, tag), Set.of()));
    }

    void writeTo(PartitionCheckpointWriter out) {
        out.sink().number(lineages.size());
        lineages.values().forEach(lineage -> lineage.writeTo(out));
        out.sink().number(idle.size());
        for (Key key : idle) {
            out.sink().text(key.user());
            out.sink().text(key.basis());
        }
    }

    /** Reads the lineages, without live applications; those follow with the applications. */
    void readFrom(PartitionCheckpointReader in) {
        for (int left = in.count(); left > 0; left--) {
            Lineage lineage = Lineage.readFrom(in);
            lineages.put(new Key(lineage.user(), lineage.basis()), lineage);
        }
        for (int left = in.count(); left > 0; left--) {
            idle.add(new Key(in.source().text(), in.source().text()));
        }
    }

    /** Marks an application that was added before as live. */
    void addLive(Application application) {
        String user = application.spec().user();
        String tag = application.spec().tag();
        String basis = application.spec().basis();
        if (tag != null) {
            living.computeIfAbsent(new Tagged(user, tag), key -> new TreeSet<>(Application.BY_SEQUENCE))
                    .add(application);
        }
        if (basis != null) {
            Lineage lineage = find(user, basis);
            if (lineage == null) {
                throw PartitionCheckpointReader.corrupt(
                        application + " belongs to lineage " + user + "/" + basis + ", which does not exist");
            }
            lineage.addLive(application);
        }
    }

    void add(Application application) {
        String user = application.spec().user();
        String tag = application.spec().tag();
        String basis = application.spec().basis();
        if (tag == null) {
            return;
        }
        living.computeIfAbsent(new Tagged(user, tag), key -> new TreeSet<>(Application.BY_SEQUENCE))
                .add(application);
        if (basis != null) {
            Key key = new Key(user, basis);
            idle.remove(key);
            lineages.computeIfAbsent(key, unknown -> new Lineage(user, basis, tag))
                    .add(application);
        }
    }

    void remove(Application application) {
        String user = application.spec().user();
        String tag = application.spec().tag();
        String basis = application.spec().basis();
        if (tag == null) {
            return;
        }
        living.computeIfPresent(new Tagged(user, tag), (key, applications) -> {
            applications.remove(application);
            return applications.isEmpty() ? null : applications;
        });
        Lineage lineage = basis == null ? null : find(user, basis);
        if (basis != null && lineage != null) {
            lineage.remove(application);
            if (lineage.living().isEmpty()) {
                retire(new Key(user, basis));
            }
        }
    }

    private void retire(Key key) {
        idle.add(key);
        if (idle.size() > idleMax) {
            Iterator<Key> longestIdle = idle.iterator();
            lineages.remove(longestIdle.next());
            longestIdle.remove();
        }
    }
}
