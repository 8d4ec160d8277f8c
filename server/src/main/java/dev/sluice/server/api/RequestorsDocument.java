package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.Map;

/** Which users go to which class. */
public record RequestorsDocument(
        @JsonPropertyDescription(
                "A regular expression for each class, by its path, searched for anywhere in the user's name; the first that matches"
                        + " wins.")
        Map<String, String> requestors) {}
