package dev.sluice.server;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.runtime.journal.Keepsake;
import dev.sluice.runtime.loop.KeepsakeSource;
import dev.sluice.server.view.Views;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Has kept what became of every application that ends. */
final class History implements KeepsakeSource {

    private final JsonMapper json;

    History(JsonMapper json) {
        this.json = json;
    }

    @Override
    public @Nullable Keepsake keepsakeOf(long sequence, Event event, SchedulerState state) {
        if (!(event instanceof ApplicationEvent.StateChanged changed)
                || !changed.to().isEnded()
                || changed.to() == ApplicationState.EXPIRED) {
            return null;
        }
        Partition partition = state.partition(changed.partition());
        Application application = partition == null ? null : partition.application(changed.application());
        if (partition == null || application == null) {
            return null;
        }
        return new Keepsake.FinishedApplication(
                sequence,
                changed.partition(),
                application.id(),
                application.spec().name(),
                application.hasQueue() ? application.queue().path() : "",
                application.spec().user(),
                changed.to(),
                changed.reason(),
                application.submitted(),
                changed.at(),
                json.writeValueAsString(Views.application(partition, application, true)));
    }
}
