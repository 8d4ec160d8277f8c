package dev.sluice.server.routes;

import dev.sluice.server.access.Sessions;
import dev.sluice.server.api.SignInLinkView;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.Caller;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Role;
import dev.sluice.server.route.Route;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;

/** The route that signs its caller in to the page with a link. */
public final class SignInLinkRoutes {

    private final Sessions sessions;
    private final Supplier<String> address;
    private final InstantSource clock;

    /** @param address returns the address of the page, without a path */
    public SignInLinkRoutes(Sessions sessions, Supplier<String> address, InstantSource clock) {
        this.sessions = sessions;
        this.address = address;
        this.clock = clock;
    }

    public List<Route> routes() {
        return List.of(Route.post("/sign-in-links")
                .named("createSignInLink", "tokens")
                .action("creating a link that signs in to the page")
                .role(Role.SUBMITTER)
                .summary("Creates a link that signs the caller in to the page: it works once, for "
                        + Sessions.CODE_MAX.toSeconds() + " s.")
                .response(201, SignInLinkView.class, "The link.")
                .handledBy(this::create));
    }

    private ApiResponse create(Call call) {
        Caller caller = call.caller();
        if (!caller.proxy().isEmpty()) {
            throw ProblemException.of(
                    ProblemKind.FORBIDDEN,
                    "user " + caller.proxy() + " speaks for user " + caller.user()
                            + " and cannot sign in as that user; create the link without a proxy");
        }
        boolean byToken = caller.source() == Caller.Source.TOKEN || caller.source() == Caller.Source.OIDC;
        String code = sessions.code(caller, byToken ? call.header("Authorization") : null);
        return ApiResponse.created(new SignInLinkView(
                address.get() + "/ui/sign-in?code=" + code, clock.instant().plus(Sessions.CODE_MAX)));
    }
}
