package dev.sluice.kubernetes.lease;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.kubernetes.request.ApiAnswer;
import dev.sluice.kubernetes.request.ApiRequests;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A lease in a real API server. */
final class ApiLeases implements Leases {

    private static final String VERSION = "coordination.k8s.io/v1";

    private final ApiRequests requests;
    private final String namespace;
    private final String name;
    private final String folder;

    ApiLeases(ApiRequests requests, String namespace, String name) {
        this.requests = requests;
        this.namespace = namespace;
        this.name = name;
        folder = "/apis/" + VERSION + "/namespaces/" + namespace + "/leases";
    }

    @Override
    public @Nullable Lease read() throws IOException {
        ApiAnswer answer = requests.get(folder + "/" + name);
        return answer.isNotFound() ? null : lease(answer);
    }

    @Override
    public Lease blank() {
        ObjectNode object = ApiRequests.object().put("apiVersion", VERSION).put("kind", "Lease");
        object.putObject("metadata").put("namespace", namespace).put("name", name);
        return new Lease(object);
    }

    @Override
    public @Nullable Lease create(Lease lease) throws IOException {
        ApiAnswer answer = requests.post(folder, lease.object());
        return answer.isConflict() ? null : lease(answer);
    }

    @Override
    public @Nullable Lease replace(Lease lease) throws IOException {
        ApiAnswer answer = requests.put(folder + "/" + name, lease.object());
        return answer.isConflict() || answer.isNotFound() ? null : lease(answer);
    }

    private static Lease lease(ApiAnswer answer) throws IOException {
        if (answer.isSuccess() && answer.body() instanceof ObjectNode object) {
            return new Lease(object);
        }
        throw new IOException(answer.reason());
    }
}
