package dev.sluice.core.state;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which applications belong together, by the tags and bases that they were submitted with. An application is in here from its
 * submission until it ends or is failing; one that no queue took never is.
 *
 * <p>Of those lineages in which nothing lives only so many are remembered: the one goes that has been without life the longest.
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

    /** The lineage of this user on this basis, or null if none is remembered. */
    public @Nullable Lineage find(String user, String basis) {
        return lineages.get(new Key(user, basis));
    }

    /** All that are remembered, in the order in which they came to be known. */
    public Collection<Lineage> all() {
        return Collections.unmodifiableCollection(lineages.values());
    }

    /** The applications of this user with this tag that live, on whatever basis, in the order of submission. */
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

    /** Reads what was written, in which nothing lives until the applications are read. */
    void readFrom(PartitionCheckpointReader in) {
        for (int left = in.count(); left > 0; left--) {
            Lineage lineage = Lineage.readFrom(in);
            lineages.put(new Key(lineage.user(), lineage.basis()), lineage);
        }
        for (int left = in.count(); left > 0; left--) {
            idle.add(new Key(in.source().text(), in.source().text()));
        }
    }

    /** An application lives that was added before. */
    void live(Application application) {
        String user = application.spec().user();
        String tag = application.spec().tag();
        String basis = application.spec().basis();
        if (tag != null) {
            living.computeIfAbsent(new Tagged(user, tag), key -> new LinkedHashSet<>(2))
                    .add(application);
        }
        if (basis != null) {
            Lineage lineage = find(user, basis);
            if (lineage == null) {
                throw PartitionCheckpointReader.corrupt(
                        application + " belongs to " + user + "/" + basis + ", which is not there");
            }
            lineage.live(application);
        }
    }

    void add(Application application) {
        String user = application.spec().user();
        String tag = application.spec().tag();
        String basis = application.spec().basis();
        if (tag == null) {
            return;
        }
        living.computeIfAbsent(new Tagged(user, tag), key -> new LinkedHashSet<>(2))
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
