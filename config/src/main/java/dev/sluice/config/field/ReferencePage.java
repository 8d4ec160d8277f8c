package dev.sluice.config.field;

import org.jspecify.annotations.Nullable;

/** A page of the reference that documents the keys of files. */
public enum ReferencePage {
    /** Job files, and the lists of nodes, queues, applications and tasks that other files share with them. */
    JOB_FILE("job-file"),
    /** Queue configurations. */
    QUEUES("queues"),
    /** Snapshots of a cluster. */
    SNAPSHOT("snapshot"),
    /** Synthetic workloads, and mappings of the columns of tables. */
    WORKLOAD("workload"),
    /** Who a server notifies, and of what. */
    NOTIFICATIONS("notifications");

    /** The directory of all pages, relative to the root of the repository. */
    public static final String DIRECTORY = "docs/reference/";

    private final String fileName;

    ReferencePage(String name) {
        this.fileName = name + ".md";
    }

    /** The name of the page's file, such as {@code queues.md}. */
    public String fileName() {
        return fileName;
    }

    /** The path of the page's file, such as {@code docs/reference/queues.md}. */
    public String path() {
        return DIRECTORY + fileName;
    }

    /**
     * The page to consult about a section of this page that is in a file of that kind: snapshots have a page with all
     * keys of their applications, some of which job files do not have.
     */
    ReferencePage in(@Nullable ReferencePage file) {
        return this == JOB_FILE && file == SNAPSHOT ? SNAPSHOT : this;
    }
}
