package dev.sluice.core.reference;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a parent that shares by load hands out in one cycle: first what the division says, then what is left one by one. */
final class PlainLoad {

    private final List<PlainQueue> byLoad = new ArrayList<>();
    private final Map<String, Long> left = new TreeMap<>();
    private final Set<PlainQueue> stopping = new LinkedHashSet<>();
    private long idle;
    private int after;
    private boolean oneByOne;

    /** The division of these classes; so many workers are idle when what it stops has been stopped. */
    PlainLoad(PlainDivision division, List<PlainQueue> classes, long idle) {
        this.idle = idle;
        for (PlainDivision.Share share : division.byLoad) {
            PlainQueue queue = classes.get(share.position);
            byLoad.add(queue);
            left.put(queue.path, share.start);
            if (share.stop > 0) {
                stopping.add(queue);
            }
        }
    }

    /** How many tasks a class may still start by the division. */
    long left(PlainQueue child) {
        return left.getOrDefault(child.path, 0L);
    }

    /** The class that is served next, or null. */
    @Nullable PlainQueue next() {
        oneByOne = false;
        for (PlainQueue child : byLoad) {
            if (left(child) > 0 && child.isInPlay()) {
                return child;
            }
        }
        oneByOne = true;
        for (int i = 0; i < byLoad.size() && idle > 0; i++) {
            PlainQueue child = byLoad.get((after + i) % byLoad.size());
            if (child.loadPercent() > 0 && !stopping.contains(child) && child.isInPlay()) {
                return child;
            }
        }
        return null;
    }

    /** A task below a class made way for others below it. */
    void freed(PlainQueue child) {
        idle++;
        if (!stopping.contains(child)) {
            left.merge(child.path, 1L, Long::sum);
        }
    }

    /** The class that was served has started a task. */
    void placed(PlainQueue child) {
        idle--;
        if (oneByOne) {
            after = byLoad.indexOf(child) + 1;
        } else {
            left.merge(child.path, -1L, Long::sum);
        }
    }
}
