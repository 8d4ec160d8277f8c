package dev.sluice.kubernetes.lease;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.kubernetes.binding.PodRef;
import dev.sluice.kubernetes.request.ApiAnswer;
import dev.sluice.kubernetes.request.ApiRequests;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The pod of a server that is elected: it alone has a label with the name of the lease, which a service can select. */
final class LeaderPod {

    static final String LABEL = "sluice.dev/leader";

    private final ApiRequests requests;
    private final String namespace;
    private final String lease;
    private final String name;

    LeaderPod(ApiRequests requests, String namespace, String lease, String name) {
        this.requests = requests;
        this.namespace = namespace;
        this.lease = lease;
        this.name = name;
    }

    /**
     * Removes the label from pods of former leaders, and then adds it to the pod; may be repeated.
     *
     * @throws IOException if the API server refuses a request or does not answer
     */
    void label() throws IOException {
        String selector = "?labelSelector=" + LABEL + "%3D" + lease;
        ApiAnswer labelled = requests.get("/api/v1/namespaces/" + namespace + "/pods" + selector);
        requireSuccess(labelled);
        for (JsonNode pod : labelled.body().path("items")) {
            String other = pod.at("/metadata/name").asText();
            if (!other.equals(name)) {
                ApiAnswer answer = patch(other, null);
                if (!answer.isNotFound()) { // it may be deleted meanwhile
                    requireSuccess(answer);
                }
            }
        }
        requireSuccess(patch(name, lease));
    }

    private ApiAnswer patch(String pod, @Nullable String value) {
        ObjectNode change = ApiRequests.object();
        change.putObject("metadata").putObject("labels").put(LABEL, value);
        return requests.patch(ApiRequests.path(new PodRef(namespace, pod, "")), change);
    }

    private static void requireSuccess(ApiAnswer answer) throws IOException {
        if (!answer.isSuccess()) {
            throw new IOException(answer.reason());
        }
    }
}
