package dev.sluice.server.page;

import dev.sluice.server.api.PartitionView;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.Caller;
import dev.sluice.server.route.Role;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/** Makes the shells of pages. */
final class Shells {

    private final ApiCalls api;
    private final Forms forms;
    private final LongSupplier sequence;
    private final InstantSource clock;

    /** @param sequence returns the current version of the state */
    Shells(ApiCalls api, Forms forms, LongSupplier sequence, InstantSource clock) {
        this.api = api;
        this.forms = forms;
        this.sequence = sequence;
        this.clock = clock;
    }

    /**
     * Returns the shell of a page that updates itself.
     *
     * @param partition the partition; empty for the first one
     * @param self the path and query of the page
     */
    Shell live(Call call, String title, Shell.Section section, String partition, String self) {
        return shell(call, title, section, partition, self, true);
    }

    /** Returns the shell of a page that updates itself and can be made while the state cannot be read. */
    Shell withoutState(Call call, String title, Shell.Section section, String self) {
        return shell(call, title, section, "default", List.of(), self, true, sequence.getAsLong());
    }

    /** Returns the shell of a page that stays as it is. */
    Shell still(Call call, String title, Shell.Section section, String partition) {
        return shell(call, title, section, partition, "", false);
    }

    /** Returns the shell of a page with a form, which stays as it is but for the results of the form. */
    Shell form(Call call, String title, Shell.Section section, String partition) {
        return shell(call, title, section, partition, "", true);
    }

    /** Returns the current time. */
    Instant now() {
        return clock.instant();
    }

    private Shell shell(
            Call call, String title, Shell.Section section, String partition, String self, boolean interactive) {
        long last = sequence.getAsLong(); // before anything is read, so that no change is missed
        return shell(call, title, section, partition, partitions(call), self, interactive, last);
    }

    private Shell shell(
            Call call,
            String title,
            Shell.Section section,
            String partition,
            List<String> partitions,
            String self,
            boolean interactive,
            long last) {
        return new Shell(
                title,
                section,
                partition.isEmpty() && !partitions.isEmpty() ? partitions.get(0) : partition,
                partitions,
                call.caller(),
                !Forms.session(call).isEmpty() && call.caller().source() != Caller.Source.UNVERIFIED,
                forms.token(call),
                self,
                interactive,
                last,
                clock.instant());
    }

    private List<String> partitions(Call call) {
        return call.caller().role().includes(Role.VIEWER)
                ? api.list(call, "listPartitions", PartitionView.class, Map.of()).stream()
                        .map(PartitionView::name)
                        .toList()
                : List.of();
    }

    /** Returns the shell of a page without a reader, such as that of a problem. */
    Shell bare(String title, Caller caller) {
        return new Shell(
                title, Shell.Section.NONE, "default", List.of(), caller, false, "", "", false, 0, clock.instant());
    }
}
