package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.util.List;

/** A signal to running tasks of an application. */
public record SignalDocument(
        @JsonPropertyDescription("Name, such as USR1, or number on Linux; not STOP or CONT.")
        String signal,

        @JsonPropertyDescription("Task ids; all running tasks if absent or empty.") @OptionalField
        List<String> tasks) {}
