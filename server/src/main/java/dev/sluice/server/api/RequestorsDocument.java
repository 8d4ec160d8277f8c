package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.Map;

/** The requestor map: which users are placed in which load class. */
public record RequestorsDocument(
        @JsonPropertyDescription(
                "A regular expression per class, keyed by queue path and searched for anywhere in the user name;"
                        + " the first that matches"
                        + " wins.")
        Map<String, String> requestors) {}
