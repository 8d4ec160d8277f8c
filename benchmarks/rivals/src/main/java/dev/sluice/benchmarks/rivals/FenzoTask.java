package dev.sluice.benchmarks.rivals;

import com.netflix.fenzo.ConstraintEvaluator;
import com.netflix.fenzo.TaskRequest;
import com.netflix.fenzo.VMTaskFitnessCalculator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A task of 1 core and 1 GiB. */
final class FenzoTask implements TaskRequest {

    private final String id;
    private final String queue;
    private @Nullable AssignedResources assigned;

    FenzoTask(String id, String queue) {
        this.id = id;
        this.queue = queue;
    }

    @Override
    public String getId() {
        return id;
    }

    @Override
    public String taskGroupName() {
        return queue;
    }

    @Override
    public double getCPUs() {
        return 1;
    }

    @Override
    public double getMemory() {
        return 1024;
    }

    @Override
    public double getNetworkMbps() {
        return 0;
    }

    @Override
    public double getDisk() {
        return 0;
    }

    @Override
    public int getPorts() {
        return 0;
    }

    @Override
    public Map<String, Double> getScalarRequests() {
        return Map.of();
    }

    @Override
    public Map<String, NamedResourceSetRequest> getCustomNamedResources() {
        return Map.of();
    }

    @Override
    public List<ConstraintEvaluator> getHardConstraints() {
        return List.of();
    }

    @Override
    public List<VMTaskFitnessCalculator> getSoftConstraints() {
        return List.of();
    }

    @Override
    public void setAssignedResources(AssignedResources resources) {
        assigned = resources;
    }

    @Override
    public @Nullable AssignedResources getAssignedResources() {
        return assigned;
    }
}
