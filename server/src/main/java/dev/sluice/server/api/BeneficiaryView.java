package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** The task for which another one was preempted. */
public record BeneficiaryView(
        @JsonPropertyDescription("Leaf queue of the task at that time.")
        String queue,

        @JsonPropertyDescription("Application of the task.") String application,

        @JsonPropertyDescription("Task id, unique in its application.")
        String task) {

    /** Returns it in words, such as "preempted by queue root.a for task b/t-3". */
    public String inWords() {
        return "preempted by queue " + queue + " for task " + application + "/" + task;
    }
}
