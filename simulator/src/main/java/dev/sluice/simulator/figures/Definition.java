package dev.sluice.simulator.figures;

/** Definitions of the figures with their sources. */
public enum Definition {
    WAITING_TIME(
            "waiting time",
            "Seconds from the submission of an application to the first start of its task.",
            "Feitelson, \"Metrics for parallel job scheduling and their convergence\", JSSPP 2001"),
    BOUNDED_SLOWDOWN(
            "bounded slowdown",
            "max(1, (end − submission) ÷ max(duration, 10 s)): turnaround time relative to the run time on an empty"
                    + " cluster; tasks shorter than 10 s count as 10 s.",
            "Feitelson, Rudolph, Schwiegelshohn, Sevcik, Wong, \"Theory and practice in parallel job scheduling\","
                    + " JSSPP 1997"),
    GANG_WAIT(
            "gang wait",
            "Seconds from when the tasks of a gang are pending, at the latest since it must start again, until all its"
                    + " members start. A gang that times out counts as such and has no wait.",
            ""),
    MAKESPAN(
            "makespan",
            "Time from the first submission to the last end of a task, or to the end of the simulation if tasks were"
                    + " still running then.",
            "Pinedo, \"Scheduling\", Springer"),
    THROUGHPUT("throughput", "Succeeded tasks ÷ makespan.", ""),
    UTILISATION(
            "utilisation",
            "Amount in use ÷ capacity of the ready nodes, averaged over the makespan. Exact: integrated at every"
                    + " change, not sampled.",
            ""),
    FRAGMENTATION(
            "fragmented",
            "Free capacity on nodes that fit none of the waiting tasks, while tasks wait. Free capacity on nodes"
                    + " that fit a waiting task which a quota or a policy keeps from starting is withheld. For a run:"
                    + " the value of the scarcest resource.",
            "after Weng et al., \"Beware of Fragmentation\", USENIX ATC 2023, where it is weighted by how frequent"
                    + " tasks are"),
    RECEIVED_SHARE(
            "received share",
            "Dominant share of a queue: the largest fraction of any cluster resource that its tasks hold.",
            "Ghodsi et al., \"Dominant Resource Fairness\", NSDI 2011"),
    DUE_SHARE(
            "due share",
            "Weighted max-min fair share, computed from root down: every child gets a share in proportion to its"
                    + " weight, limited by its demand; the remainder is divided among the others. Weights: below"
                    + " load, the load percentage; below usage, 1 ÷ √factor; below fair, the guaranteed resources,"
                    + " else the maximum, else the cluster, as a fraction of the cluster (the smallest fraction over"
                    + " all resources). The due share of a child with 0 % is 0.",
            "Bertsekas, Gallager, \"Data Networks\", section 6.5"),
    AREA(
            "deviation",
            "Mean over time of |received − due|. For a run (unfairness): half the sum over the leaf queues, which is"
                    + " the fraction of the cluster that was allocated to the wrong queue.",
            ""),
    JAIN(
            "Jain's index",
            "(Σ x)² ÷ (n Σ x²): 1 if all values are equal, 1 ÷ n if one has everything. For queues x = received ÷"
                    + " due; for users x = mean bounded slowdown.",
            "Jain, Chiu, Hawe, \"A quantitative measure of fairness\", DEC-TR-301, 1984"),
    LOANS(
            "loans",
            "Below a load parent, in slots × time. Borrowed: slots that a class holds beyond its entitlement. Lent:"
                    + " entitled slots that other classes borrow, attributed to the lenders in proportion to their"
                    + " idle slots.",
            ""),
    STARVATION(
            "maximum wait",
            "Maximum time that a task waited for its first start, including tasks that never started.",
            ""),
    LOST_WORK("lost work", "Slots × time of runs that were stopped and restarted from the beginning.", ""),
    OFFERED_LOAD(
            "offered load",
            "Σ (amount × duration) of all tasks ÷ (capacity × time from the first to the last submission), by"
                    + " resource. Above 1, work arrives faster than the cluster can process it.",
            "Feitelson, \"Workload Modeling for Computer Systems Performance Evaluation\", Cambridge University"
                    + " Press, 2015"),
    SHORTEST_FIRST(
            "shortest first",
            "An oracle that knows every duration (to 5 %) and always starts the shortest task that fits, regardless"
                    + " of its owner: close to the minimum mean waiting time.",
            "Smith, \"Various optimizers for single-stage production\", 1956"),
    INFINITE_NODES("infinite nodes", "Nodes with unlimited capacity: no task ever waits for resources.", ""),
    RANDOM_ORDER("random order", "Tasks that fit start in random order: the baseline without any policy.", "");

    private final String term;
    private final String meaning;
    private final String source;

    Definition(String term, String meaning, String source) {
        this.term = term;
        this.meaning = meaning;
        this.source = source;
    }

    /** Returns the term used in tables and reports. */
    public String term() {
        return term;
    }

    public String meaning() {
        return meaning;
    }

    /** Returns the source of the definition; empty if there is none. */
    public String source() {
        return source;
    }
}
