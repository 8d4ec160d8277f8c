package dev.sluice.server.routes;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.config.snapshot.Snapshot;
import dev.sluice.config.snapshot.SnapshotWriter;
import dev.sluice.server.live.LiveSnapshots;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Role;
import dev.sluice.server.route.Route;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The route of snapshots. */
public final class SnapshotRoutes {

    private static final String JSON = "application/json";
    private static final String YAML = "application/yaml";

    /** How long a request waits for a previous snapshot; also the value of {@code Retry-After} after a timeout. */
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final Requests requests;
    private final LiveSnapshots snapshots;

    public SnapshotRoutes(Requests requests, LiveSnapshots snapshots) {
        this.requests = requests;
        this.snapshots = snapshots;
    }

    public List<Route> routes() {
        return List.of(Route.get("/snapshot")
                .named("getSnapshot", "server")
                .action("taking a snapshot")
                .role(Role.OPERATOR)
                .summary("Returns a snapshot of the scheduler's state, as input for sluice plan. It contains the"
                        + " environment of all tasks.")
                .textResponse("The snapshot; as YAML if the client accepts YAML and not JSON.", JSON, YAML)
                .handledBy(this::snapshot));
    }

    /**
     * Copies the state in steps on the scheduler's thread; builds and writes the snapshot, which takes longer, on the
     * calling thread.
     */
    private ApiResponse snapshot(Call call) {
        LiveSnapshots.SnapshotCapture capture = begin(snapshots);
        try {
            Snapshot snapshot = requests.query(call, capture);
            return new ApiResponse(
                    200, new SnapshotBody(capture, snapshot, call.prefersYaml() ? YAML : JSON), Map.of());
        } catch (RuntimeException | Error e) {
            capture.close();
            throw e;
        }
    }

    /** Begins a snapshot; waits for a previous one. The caller closes it. */
    static LiveSnapshots.SnapshotCapture begin(LiveSnapshots snapshots) {
        try {
            LiveSnapshots.SnapshotCapture capture = snapshots.begin(TIMEOUT);
            if (capture == null) {
                throw ProblemException.retry(
                        ProblemKind.BUSY, "another snapshot is in progress, retry later", TIMEOUT, null);
            }
            return capture;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ProblemException.retry(
                    ProblemKind.UNAVAILABLE, "the server is shutting down", Duration.ofSeconds(5), e);
        }
    }

    /** A snapshot being written; blocks other snapshots until it is closed. */
    private record SnapshotBody(LiveSnapshots.SnapshotCapture capture, Snapshot snapshot, String type)
            implements ApiResponse.StreamBody {

        @Override
        public void write(OutputStream out) throws IOException {
            Writer writer = new OutputStreamWriter(out, UTF_8);
            if (type.equals(YAML)) {
                SnapshotWriter.writeYaml(snapshot, writer);
            } else {
                SnapshotWriter.writeJson(snapshot, writer);
            }
            writer.flush();
        }

        @Override
        public void close() {
            capture.close();
        }
    }
}
