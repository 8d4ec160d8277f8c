package dev.sluice.server.routes;

import dev.sluice.core.explain.Looks;
import dev.sluice.core.state.Partition;
import dev.sluice.runtime.loop.Desk;
import dev.sluice.runtime.loop.Question;
import dev.sluice.server.api.PartitionView;
import dev.sluice.server.view.Views;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Views of the partitions that were there when it began and still are. */
final class PartitionListing implements Question<List<PartitionView>> {

    private final List<PartitionView> views = new ArrayList<>();
    private @Nullable List<Partition> partitions;
    private int next;

    @Override
    public boolean look(Desk desk, Looks looks) {
        List<Partition> all = partitions == null ? new ArrayList<>(desk.state().partitions()) : partitions;
        partitions = all;
        while (next < all.size()) {
            if (!looks.take()) {
                return false;
            }
            Partition partition = all.get(next++);
            if (desk.state().partition(partition.name()) == partition) {
                views.add(Views.partition(partition));
            }
        }
        return true;
    }

    @Override
    public List<PartitionView> answer() {
        return views;
    }
}
