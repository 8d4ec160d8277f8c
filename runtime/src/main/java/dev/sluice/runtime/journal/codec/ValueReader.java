package dev.sluice.runtime.journal.codec;

import dev.sluice.core.application.TaskKind;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.ApplicationOrigin;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads the format of {@link ValueWriter}. */
final class ValueReader {

    final BinaryReader in;

    private final List<Resources> resources = new ArrayList<>();
    private final List<ApplicationOrigin> origins = new ArrayList<>();
    private final List<TaskKind> kinds = new ArrayList<>();

    ValueReader(BinaryReader in) {
        this.in = in;
    }

    /** Starts reading these bytes. */
    void open(byte[] bytes) {
        resources.clear();
        origins.clear();
        kinds.clear();
        in.open(bytes);
    }

    List<String> texts() {
        int count = in.count();
        List<String> texts = new ArrayList<>(BinaryReader.initialCapacity(count));
        for (int i = 0; i < count; i++) {
            texts.add(in.text());
        }
        return texts;
    }

    SortedMap<String, String> namedTexts() {
        int count = in.count();
        if (count == 0) {
            return Collections.emptySortedMap();
        }
        SortedMap<String, String> texts = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            String name = in.text();
            texts.put(name, in.text());
        }
        return texts;
    }

    Resources resources() {
        int which = in.integer();
        if (which != 0) {
            return known(resources, which);
        }
        int count = in.count();
        SortedMap<String, Amount> amounts = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            String type = in.text();
            amounts.put(type, new Amount(in.number()));
        }
        if (resources.size() == ValueWriter.RESOURCES_MAX) {
            resources.clear();
        }
        Resources read = Resources.of(amounts);
        resources.add(read);
        return read;
    }

    ApplicationOrigin origin(Instant at) {
        int which = in.integer();
        if (which != 0) {
            return known(origins, which);
        }
        String queue = in.text();
        String user = in.text();
        if (origins.size() == ValueWriter.ORIGINS_MAX) {
            origins.clear();
        }
        ApplicationOrigin read = new ApplicationOrigin(queue, user, in.instantBefore(at));
        origins.add(read);
        return read;
    }

    /** Skips an origin. If origins are skipped in a batch, none of them must be read. */
    void skipOrigin() {
        if (in.integer() == 0) {
            in.skipText();
            in.skipText();
            in.skipInstantBefore();
        }
    }

    TaskKind kind() {
        int which = in.integer();
        if (which != 0) {
            return known(kinds, which);
        }
        TaskKind read = TaskCodec.readKind(this);
        kinds.add(read);
        return read;
    }

    private static <T> T known(List<T> values, int which) {
        if (which < 0 || which > values.size()) {
            throw new IllegalStateException(
                    "invalid back reference " + which + "; " + values.size() + " values written so far");
        }
        return values.get(which - 1);
    }
}
