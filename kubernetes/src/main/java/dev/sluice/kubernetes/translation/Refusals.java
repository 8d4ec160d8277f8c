package dev.sluice.kubernetes.translation;

import java.util.ArrayList;
import java.util.List;

/** Collects why an object is refused, each reason with the field or annotation, what is wrong and how to fix it. */
final class Refusals {

    private final List<String> reasons = new ArrayList<>();

    /** Adds a reason. */
    void add(String where, String problem) {
        reasons.add(where + ": " + problem);
    }

    List<String> reasons() {
        return List.copyOf(reasons);
    }
}
