package dev.sluice.server.routes;

import dev.sluice.config.situation.Situation;
import dev.sluice.config.situation.SituationTaker;
import dev.sluice.config.situation.SituationWriter;
import dev.sluice.server.route.Answer;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.Role;
import dev.sluice.server.route.Route;
import java.util.List;

/** The live scheduler as a situation. */
public final class SnapshotRoutes {

    private static final String JSON = "application/json";
    private static final String YAML = "application/yaml";

    private final Requests requests;

    /** The routes of situations. */
    public SnapshotRoutes(Requests requests) {
        this.requests = requests;
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

    /** Only what must be of one instant is done on the scheduler's thread; writing it down takes longer and is done here. */
    private Answer take(Call call) {
        boolean yaml = call.prefersYaml();
        Situation situation = requests.perform(call, "look", desk -> SituationTaker.take(desk.state(), desk.now()));
        return yaml
                ? Answer.text(YAML, SituationWriter.yaml(situation))
                : Answer.text(JSON, SituationWriter.json(situation));
    }
}
