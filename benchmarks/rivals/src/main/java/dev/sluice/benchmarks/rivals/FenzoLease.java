package dev.sluice.benchmarks.rivals;

import com.netflix.fenzo.VirtualMachineLease;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.mesos.Protos;
import org.jspecify.annotations.Nullable;

/**
 * An offer of all resources of a node.
 *
 * @param hostname the name of the node
 * @param offeredTime the time of the offer, in milliseconds since 1970
 */
record FenzoLease(String hostname, double cpuCores, double memoryMB, long offeredTime) implements VirtualMachineLease {

    @Override
    public String getId() {
        return "lease-of-" + hostname;
    }

    @Override
    public long getOfferedTime() {
        return offeredTime;
    }

    @Override
    public String getVMID() {
        return hostname;
    }

    @Override
    public double networkMbps() {
        return 0;
    }

    @Override
    public double diskMB() {
        return 0;
    }

    @Override
    public List<Range> portRanges() {
        return List.of();
    }

    @Override
    public Protos.@Nullable Offer getOffer() {
        return null;
    }

    @Override
    public Map<String, Protos.Attribute> getAttributeMap() {
        return Collections.emptyMap(); // Map.of() does not permit lookups of null, which Fenzo makes
    }

    @Override
    public @Nullable Double getScalarValue(String name) {
        return null;
    }

    @Override
    public Map<String, Double> getScalarValues() {
        return Map.of();
    }
}
