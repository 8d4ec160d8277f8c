package dev.sluice.kubernetes.request;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.kubernetes.binding.PodRef;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests and waits for their answers. The client's own methods of objects read an object before they patch it,
 * and cannot send preconditions with each request. Thread-safe.
 */
public final class ApiRequests {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String PLAIN = "application/json";

    /** Merges lists of objects such as conditions by their key; only for objects that Kubernetes itself defines. */
    private static final String STRATEGIC_MERGE = "application/strategic-merge-patch+json";

    private final KubernetesClient client;

    /** Creates requests of a client, which remains the caller's to close. It must not repeat requests itself. */
    public ApiRequests(KubernetesClient client) {
        this.client = client;
    }

    /** Returns a new JSON object. */
    public static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    /** Returns the path of a pod. */
    public static String path(PodRef pod) {
        return "/api/v1/namespaces/" + pod.namespace() + "/pods/" + pod.name();
    }

    public ApiAnswer get(String path) {
        return send("GET", path, null, PLAIN);
    }

    public ApiAnswer post(String path, ObjectNode body) {
        return send("POST", path, body, PLAIN);
    }

    public ApiAnswer put(String path, ObjectNode body) {
        return send("PUT", path, body, PLAIN);
    }

    public ApiAnswer patch(String path, ObjectNode body) {
        return send("PATCH", path, body, STRATEGIC_MERGE);
    }

    public ApiAnswer delete(String path, ObjectNode options) {
        return send("DELETE", path, options, PLAIN);
    }

    private ApiAnswer send(String method, String path, @Nullable ObjectNode body, String type) {
        HttpClient http = client.getHttpClient();
        HttpRequest.Builder request = http.newHttpRequestBuilder()
                .uri(withoutSlash(client.getMasterUrl().toString()) + path)
                .header("Accept", PLAIN)
                .method(method, type, body == null ? null : body.toString());
        CompletableFuture<HttpResponse<String>> sent;
        try {
            sent = http.sendAsync(request.build(), String.class);
        } catch (KubernetesClientException e) { // the client may not send it
            return ApiAnswer.none(String.valueOf(e.getMessage()));
        }
        try {
            HttpResponse<String> answer =
                    sent.get(client.getConfiguration().getRequestTimeout(), TimeUnit.MILLISECONDS);
            return new ApiAnswer(answer.code(), parse(answer.body()), "");
        } catch (ExecutionException e) {
            return ApiAnswer.none(String.valueOf(e.getCause()));
        } catch (TimeoutException e) {
            sent.cancel(true);
            return ApiAnswer.none("timeout");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            sent.cancel(true);
            return ApiAnswer.none("interrupted");
        }
    }

    private static String withoutSlash(String url) {
        return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    }

    /** A proxy before the API server may answer something else than JSON. */
    private static JsonNode parse(@Nullable String body) {
        try {
            return body == null ? MissingNode.getInstance() : JSON.readTree(body);
        } catch (JsonProcessingException e) {
            return object().put("message", body);
        }
    }
}
