package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;

/** A port of its node that a task uses alone. */
public record HostPortView(
        @JsonPropertyDescription("The number of the port.") int hostPort,

        @JsonPropertyDescription("The protocol: TCP, UDP or SCTP.")
        String protocol,

        @JsonPropertyDescription("The address of the node; omitted: all of them.") @OptionalField
        String hostIP) {}
