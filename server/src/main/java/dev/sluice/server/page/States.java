package dev.sluice.server.page;

import dev.sluice.core.application.ApplicationState;
import java.util.ArrayList;
import java.util.List;

/** How states look: good, busy, bad or plain. The name of a state is always shown, too. */
public final class States {

    private States() {}

    /** Returns the style of a state or an outcome. */
    public static String style(String state) {
        return switch (state) {
            case "Completed", "succeeded", "ready" -> "good";
            case "Failed", "Rejected", "Failing", "failed", "lost", "timeout" -> "bad";
            case "Running", "Starting", "running", "starting" -> "busy";
            case "suspended", "flaky", "offline", "stopped", "stopping", "preempting" -> "warn";
            default -> "plain";
        };
    }

    /** Returns what a filter of applications offers; empty stands for unfinished ones. */
    public static List<String> ofApplications() {
        List<String> states = new ArrayList<>(List.of("", "ended"));
        for (ApplicationState state : ApplicationState.values()) {
            states.add(state.wireName());
        }
        return states;
    }
}
