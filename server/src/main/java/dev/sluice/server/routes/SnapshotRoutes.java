package dev.sluice.server.routes;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.config.situation.Situation;
import dev.sluice.config.situation.SituationWriter;
import dev.sluice.server.live.LiveSituations;
import dev.sluice.server.route.Answer;
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

/** The live scheduler as a situation. */
public final class SnapshotRoutes {

    private static final String JSON = "application/json";
    private static final String YAML = "application/yaml";

    /** How long a request waits for its turn, and is told to wait if it did not get it. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Requests requests;
    private final LiveSituations situations;

    /** The routes of situations. */
    public SnapshotRoutes(Requests requests, LiveSituations situations) {
        this.requests = requests;
        this.situations = situations;
    }

    /** All of them. */
    public List<Route> routes() {
        return List.of(Route.get("/snapshot")
                .named("getSnapshot", "server")
                .role(Role.VIEWER)
                .summary("Writes down everything that the next cycle goes by, as a situation for sluice plan.")
                .answersText("The situation; YAML for who accepts that and no JSON.", JSON, YAML)
                .by(this::take));
    }

    /** The state is copied in pieces on the scheduler's thread; making the situation and writing it takes longer and is done here. */
    private Answer take(Call call) {
        LiveSituations.Taking taking = begin();
        try {
            Situation situation = requests.ask(call, taking);
            return new Answer(200, new Written(taking, situation, call.prefersYaml() ? YAML : JSON), Map.of());
        } catch (RuntimeException | Error e) {
            taking.close();
            throw e;
        }
    }

    private LiveSituations.Taking begin() {
        try {
            LiveSituations.Taking taking = situations.begin(PATIENCE);
            if (taking == null) {
                throw ProblemException.retry(
                        ProblemKind.BUSY, "another snapshot is being taken or read: try again", PATIENCE, null);
            }
            return taking;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ProblemException.retry(ProblemKind.UNAVAILABLE, "the server is ending", Duration.ofSeconds(5), e);
        }
    }

    /** A situation that is written as it is read, and takes its turn until then. */
    private record Written(LiveSituations.Taking taking, Situation situation, String type) implements Answer.Stream {

        @Override
        public void write(OutputStream out) throws IOException {
            Writer writer = new OutputStreamWriter(out, UTF_8);
            if (type.equals(YAML)) {
                SituationWriter.writeYaml(situation, writer);
            } else {
                SituationWriter.writeJson(situation, writer);
            }
            writer.flush();
        }

        @Override
        public void close() {
            taking.close();
        }
    }
}
