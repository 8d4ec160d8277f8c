package dev.sluice.kubernetes.lease;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/**
 * A Lease as the API server describes it. Its times are for people only: no two machines' clocks are compared.
 *
 * @param object the whole object
 */
record Lease(ObjectNode object) {

    private static final DateTimeFormatter MICRO_TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    /** Returns who holds the lease; empty if it was released. */
    String holder() {
        return spec().path("holderIdentity").asText("");
    }

    /** Returns how long others must wait after they have observed a change. */
    Duration duration() {
        return Duration.ofSeconds(
                Math.max(0, spec().path("leaseDurationSeconds").asLong()));
    }

    /** Returns how often the holder has changed. */
    long transitions() {
        return spec().path("leaseTransitions").asLong();
    }

    /** Returns what changes with each write. */
    String version() {
        return object.at("/metadata/resourceVersion").asText("");
    }

    private JsonNode spec() {
        return object.path("spec");
    }

    /** Returns the lease as a holder writes it; the version of this one is a precondition. */
    Lease heldBy(String identity, Duration duration, Instant now) {
        boolean isNew = !holder().equals(identity);
        ObjectNode changed = object.deepCopy();
        ObjectNode spec = changed.withObject("/spec");
        String time = MICRO_TIME.format(now);
        if (isNew) {
            spec.put("acquireTime", time).put("leaseTransitions", transitions() + (spec.has("holderIdentity") ? 1 : 0));
        }
        spec.put("holderIdentity", identity)
                .put("leaseDurationSeconds", duration.toSeconds())
                .put("renewTime", time);
        return new Lease(changed);
    }

    /** Returns the lease without a holder, for others to take at once. */
    Lease released() {
        ObjectNode changed = object.deepCopy();
        changed.withObject("/spec").put("holderIdentity", "").put("leaseDurationSeconds", 1);
        return new Lease(changed);
    }
}
