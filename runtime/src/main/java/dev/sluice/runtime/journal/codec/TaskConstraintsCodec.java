package dev.sluice.runtime.journal.codec;

import static dev.sluice.runtime.journal.codec.PresenceBits.bit;
import static dev.sluice.runtime.journal.codec.PresenceBits.has;

import dev.sluice.core.application.HostPort;
import dev.sluice.core.application.LabelSelector;
import dev.sluice.core.application.TaskAffinity;
import dev.sluice.core.application.TaskConstraints;
import dev.sluice.core.application.TaskPreference;
import dev.sluice.core.application.TaskTerm;
import dev.sluice.core.application.TextMap;
import dev.sluice.core.application.TopologySpread;
import java.util.List;
import java.util.SortedMap;

/** Encodes and decodes the labels of tasks and their constraints with regard to others. Bits keep their meaning. */
final class TaskConstraintsCodec {

    private static final int LABELS = 1;
    private static final int AFFINITY_REQUIRED = 1 << 1;
    private static final int AFFINITY_PREFERRED = 1 << 2;
    private static final int ANTI_AFFINITY_REQUIRED = 1 << 3;
    private static final int ANTI_AFFINITY_PREFERRED = 1 << 4;
    private static final int SPREAD = 1 << 5;
    private static final int PORTS = 1 << 6;
    private static final int PER_NODE = 1 << 7;
    private static final int ALL = (1 << 8) - 1;

    private static final int SPREAD_REQUIRED = 1;
    private static final int SPREAD_MIN_DOMAINS = 1 << 1;
    private static final int SPREAD_IGNORE_AFFINITY = 1 << 2;
    private static final int SPREAD_HONOR_TAINTS = 1 << 3;
    private static final int SPREAD_ALL = (1 << 4) - 1;

    private static final int PORT_ADDRESS = 1;
    private static final int PORT_ALL = 1;

    private TaskConstraintsCodec() {}

    static void write(ValueWriter to, TaskConstraints constraints) {
        TaskAffinity affinity = constraints.affinity();
        TaskAffinity antiAffinity = constraints.antiAffinity();
        to.out.number(bit(LABELS, !constraints.labels().isEmpty())
                | bit(AFFINITY_REQUIRED, !affinity.required().isEmpty())
                | bit(AFFINITY_PREFERRED, !affinity.preferred().isEmpty())
                | bit(ANTI_AFFINITY_REQUIRED, !antiAffinity.required().isEmpty())
                | bit(ANTI_AFFINITY_PREFERRED, !antiAffinity.preferred().isEmpty())
                | bit(SPREAD, !constraints.spread().isEmpty())
                | bit(PORTS, !constraints.ports().isEmpty())
                | bit(PER_NODE, constraints.perNode() > 0));
        if (!constraints.labels().isEmpty()) {
            to.texts(constraints.labels());
        }
        writeAffinity(to, affinity);
        writeAffinity(to, antiAffinity);
        ConstraintsCodec.writeUnlessEmpty(to, constraints.spread(), TaskConstraintsCodec::writeSpread);
        ConstraintsCodec.writeUnlessEmpty(to, constraints.ports(), TaskConstraintsCodec::writePort);
        if (constraints.perNode() > 0) {
            to.out.number(constraints.perNode());
        }
    }

    static TaskConstraints read(ValueReader from) {
        int fields = PresenceBits.read(from.in, ALL, "constraints of tasks");
        SortedMap<String, String> labels = has(fields, LABELS) ? TextMap.copyOf(from.namedTexts()) : TextMap.EMPTY;
        TaskAffinity affinity = readAffinity(from, has(fields, AFFINITY_REQUIRED), has(fields, AFFINITY_PREFERRED));
        TaskAffinity antiAffinity =
                readAffinity(from, has(fields, ANTI_AFFINITY_REQUIRED), has(fields, ANTI_AFFINITY_PREFERRED));
        List<TopologySpread> spread =
                has(fields, SPREAD) ? ConstraintsCodec.list(from, TaskConstraintsCodec::readSpread) : List.of();
        List<HostPort> ports =
                has(fields, PORTS) ? ConstraintsCodec.list(from, TaskConstraintsCodec::readPort) : List.of();
        int perNode = has(fields, PER_NODE) ? from.in.integer() : 0;
        return new TaskConstraints(labels, affinity, antiAffinity, spread, ports, perNode);
    }

    private static void writeAffinity(ValueWriter to, TaskAffinity affinity) {
        ConstraintsCodec.writeUnlessEmpty(to, affinity.required(), TaskConstraintsCodec::writeTerm);
        ConstraintsCodec.writeUnlessEmpty(to, affinity.preferred(), (out, each) -> {
            out.out.number(each.weight());
            writeTerm(out, each.term());
        });
    }

    private static TaskAffinity readAffinity(ValueReader from, boolean hasRequired, boolean hasPreferred) {
        List<TaskTerm> required = hasRequired ? ConstraintsCodec.list(from, TaskConstraintsCodec::readTerm) : List.of();
        List<TaskPreference> preferred = hasPreferred
                ? ConstraintsCodec.list(from, in -> new TaskPreference(in.in.integer(), readTerm(in)))
                : List.of();
        return hasRequired || hasPreferred ? new TaskAffinity(required, preferred) : TaskAffinity.NONE;
    }

    private static void writeTerm(ValueWriter to, TaskTerm term) {
        to.out.text(term.topologyKey());
        writeSelector(to, term.selector());
    }

    private static TaskTerm readTerm(ValueReader from) {
        String topologyKey = from.in.text();
        return new TaskTerm(readSelector(from), topologyKey);
    }

    private static void writeSelector(ValueWriter to, LabelSelector selector) {
        ConstraintsCodec.writeList(to, selector.matchExpressions(), ConstraintsCodec::writeRequirement);
    }

    private static LabelSelector readSelector(ValueReader from) {
        return new LabelSelector(ConstraintsCodec.list(from, ConstraintsCodec::readRequirement));
    }

    private static void writeSpread(ValueWriter to, TopologySpread spread) {
        to.out.number(bit(SPREAD_REQUIRED, spread.required())
                | bit(SPREAD_MIN_DOMAINS, spread.minDomains() > 1)
                | bit(SPREAD_IGNORE_AFFINITY, !spread.honorAffinity())
                | bit(SPREAD_HONOR_TAINTS, spread.honorTaints()));
        to.out.number(spread.maxSkew());
        to.out.text(spread.topologyKey());
        writeSelector(to, spread.selector());
        if (spread.minDomains() > 1) {
            to.out.number(spread.minDomains());
        }
    }

    private static TopologySpread readSpread(ValueReader from) {
        int fields = PresenceBits.read(from.in, SPREAD_ALL, "topology spread");
        int maxSkew = from.in.integer();
        String topologyKey = from.in.text();
        LabelSelector selector = readSelector(from);
        return new TopologySpread(
                maxSkew,
                topologyKey,
                has(fields, SPREAD_REQUIRED),
                selector,
                has(fields, SPREAD_MIN_DOMAINS) ? from.in.integer() : 1,
                !has(fields, SPREAD_IGNORE_AFFINITY),
                has(fields, SPREAD_HONOR_TAINTS));
    }

    private static void writePort(ValueWriter to, HostPort port) {
        boolean address = !port.ip().equals(HostPort.ANY_IP);
        to.out.number(bit(PORT_ADDRESS, address));
        to.out.number(port.port());
        EnumCodec.PROTOCOL.write(to.out, port.protocol());
        if (address) {
            to.out.text(port.ip());
        }
    }

    private static HostPort readPort(ValueReader from) {
        int fields = PresenceBits.read(from.in, PORT_ALL, "host port");
        int port = from.in.integer();
        HostPort.Protocol protocol = EnumCodec.PROTOCOL.read(from.in);
        return new HostPort(port, protocol, has(fields, PORT_ADDRESS) ? from.in.text() : HostPort.ANY_IP);
    }
}
