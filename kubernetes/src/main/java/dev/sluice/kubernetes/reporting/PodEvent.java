package dev.sluice.kubernetes.reporting;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.kubernetes.request.ApiRequests;
import io.fabric8.kubernetes.api.model.ObjectReference;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/**
 * What an event says, without its time. Equal ones are repetitions of each other.
 *
 * @param regarding the object
 * @param related another object that is concerned, or null
 * @param isWarning whether its type is {@code Warning} and not {@code Normal}
 * @param action what was done
 * @param reason the reason
 * @param note the words, cut to what the API server accepts
 */
record PodEvent(
        ObjectReference regarding,
        @Nullable ObjectReference related,
        boolean isWarning,
        String action,
        String reason,
        String note) {

    /** The component that creates the events. */
    static final String CONTROLLER = "sluice.dev/scheduler";

    private static final int NOTE_BYTES_MAX = 1024;
    private static final int NAME_LENGTH_MAX = 253;
    private static final String CUT = "…";
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    PodEvent {
        note = cut(note);
    }

    private static String cut(String text) {
        if (text.getBytes(StandardCharsets.UTF_8).length <= NOTE_BYTES_MAX) {
            return text;
        }
        int left = NOTE_BYTES_MAX - CUT.getBytes(StandardCharsets.UTF_8).length;
        StringBuilder kept = new StringBuilder();
        for (int point : text.codePoints().toArray()) {
            String next = Character.toString(point);
            left -= next.getBytes(StandardCharsets.UTF_8).length;
            if (left < 0) {
                break;
            }
            kept.append(next);
        }
        return kept.append(CUT).toString();
    }

    static String time(Instant instant) {
        return MICROS.format(instant);
    }

    /** Returns the namespace of the event, also for objects without one. */
    String namespace() {
        String namespace = regarding.getNamespace();
        return namespace == null || namespace.isEmpty() ? "default" : namespace;
    }

    /** Returns a name that begins with that of the object. */
    String name(String unique) {
        String name = regarding.getName();
        int length = Math.min(name.length(), NAME_LENGTH_MAX - unique.length() - 1);
        while (length > 0 && !Character.isLetterOrDigit(name.charAt(length - 1))) {
            length--;
        }
        return name.substring(0, length) + "." + unique;
    }

    /**
     * Returns the event as JSON.
     *
     * @param name its name
     * @param instance which of several schedulers creates it
     */
    ObjectNode json(String name, String instance, Instant at) {
        ObjectNode event =
                ApiRequests.object().put("apiVersion", "events.k8s.io/v1").put("kind", "Event");
        event.putObject("metadata").put("namespace", namespace()).put("name", name);
        event.put("eventTime", time(at))
                .put("reportingController", CONTROLLER)
                .put("reportingInstance", instance)
                .put("type", isWarning ? "Warning" : "Normal")
                .put("action", action)
                .put("reason", reason)
                .put("note", note);
        event.set("regarding", json(regarding));
        if (related != null) {
            event.set("related", json(related));
        }
        return event;
    }

    private static ObjectNode json(ObjectReference object) {
        return ApiRequests.object()
                .put("apiVersion", object.getApiVersion())
                .put("kind", object.getKind())
                .put("namespace", object.getNamespace())
                .put("name", object.getName())
                .put("uid", object.getUid());
    }
}
