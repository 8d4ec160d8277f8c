package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;

/** A link that signs the caller in to the page once. */
public record SignInLinkView(
        @JsonPropertyDescription("Address to open in a browser.")
        String address,

        @JsonPropertyDescription("Time after which it is invalid.")
        Instant expires) {}
