package dev.sluice.benchmarks.rivals;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeAttribute;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceUtilization;
import org.apache.hadoop.yarn.server.api.protocolrecords.NodeHeartbeatResponse;
import org.apache.hadoop.yarn.server.api.records.OpportunisticContainersStatus;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.UpdatedContainerInfo;
import org.jspecify.annotations.Nullable;

/** A running node without status updates. */
record YarnNode(NodeId id, Resource capacity, RMContext context) implements RMNode {

    private static final String RACK = "/rack";
    private static final ResourceUtilization IDLE = ResourceUtilization.newInstance(0, 0, 0);

    @Override
    public NodeId getNodeID() {
        return id;
    }

    @Override
    public String getHostName() {
        return id.getHost();
    }

    @Override
    public int getCommandPort() {
        return id.getPort();
    }

    @Override
    public int getHttpPort() {
        return id.getPort();
    }

    @Override
    public String getNodeAddress() {
        return id.toString();
    }

    @Override
    public String getHttpAddress() {
        return id.toString();
    }

    @Override
    public String getHealthReport() {
        return "";
    }

    @Override
    public long getLastHealthReportTime() {
        return 0;
    }

    @Override
    public String getNodeManagerVersion() {
        return "";
    }

    @Override
    public Resource getTotalCapability() {
        return capacity;
    }

    @Override
    public boolean isUpdatedCapability() {
        return false;
    }

    @Override
    public void resetUpdatedCapability() {}

    @Override
    public ResourceUtilization getAggregatedContainersUtilization() {
        return IDLE;
    }

    @Override
    public ResourceUtilization getNodeUtilization() {
        return IDLE;
    }

    @Override
    public Resource getPhysicalResource() {
        return capacity;
    }

    @Override
    public String getRackName() {
        return RACK;
    }

    @Override
    public Node getNode() {
        return new NodeBase(id.getHost(), RACK);
    }

    @Override
    public NodeState getState() {
        return NodeState.RUNNING;
    }

    @Override
    public List<ContainerId> getContainersToCleanUp() {
        return List.of();
    }

    @Override
    public List<ApplicationId> getAppsToCleanup() {
        return List.of();
    }

    @Override
    public List<ApplicationId> getRunningApps() {
        return List.of();
    }

    @Override
    public void setAndUpdateNodeHeartbeatResponse(NodeHeartbeatResponse response) {}

    @Override
    public @Nullable NodeHeartbeatResponse getLastNodeHeartBeatResponse() {
        return null;
    }

    @Override
    public void resetLastNodeHeartBeatResponse() {}

    @Override
    public List<UpdatedContainerInfo> pullContainerUpdates() {
        return List.of();
    }

    @Override
    public Set<String> getNodeLabels() {
        return Set.of();
    }

    @Override
    public List<Container> pullNewlyIncreasedContainers() {
        return List.of();
    }

    @Override
    public @Nullable OpportunisticContainersStatus getOpportunisticContainersStatus() {
        return null;
    }

    @Override
    public long getUntrackedTimeStamp() {
        return 0;
    }

    @Override
    public void setUntrackedTimeStamp(long timeStamp) {}

    @Override
    public @Nullable Integer getDecommissioningTimeout() {
        return null;
    }

    @Override
    public Map<String, Long> getAllocationTagsWithCount() {
        return Map.of();
    }

    @Override
    public Set<NodeAttribute> getAllNodeAttributes() {
        return Set.of();
    }

    @Override
    public RMContext getRMContext() {
        return context;
    }

    @Override
    public long calculateHeartBeatInterval(
            long normal, long shortest, long longest, float speedupFactor, float slowdownFactor) {
        return normal;
    }
}
