package dev.sluice.core.state;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The last number of each name in numbered application ids, such as 17 in {@code night-17}.
 *
 * <p>The number of remembered names is bounded; the one not numbered for longest is forgotten.
 */
final class ApplicationNumbers {

    private final int namesMax;
    private final Map<String, Long> lastByName = new LinkedHashMap<>();

    ApplicationNumbers(int namesMax) {
        this.namesMax = namesMax;
    }

    /** Returns the last number of this name; 0 if none is remembered. */
    long last(String name) {
        return lastByName.getOrDefault(name, 0L);
    }

    void use(String name, long number) {
        lastByName.remove(name);
        lastByName.put(name, number);
        if (lastByName.size() > namesMax) {
            Iterator<String> names = lastByName.keySet().iterator();
            names.next();
            names.remove();
        }
    }

    void writeTo(PartitionCheckpointWriter out) {
        out.sink().number(lastByName.size());
        lastByName.forEach((name, number) -> {
            out.sink().text(name);
            out.sink().number(number);
        });
    }

    void readFrom(PartitionCheckpointReader in) {
        for (int left = in.count(); left > 0; left--) {
            use(in.source().text(), in.source().number());
        }
    }
}
