package dev.sluice.simulator.figures;

/** What the figures mean, and where that comes from. */
public enum Definition {
    /** Waiting time. */
    WAITING_TIME(
            "waiting time",
            "Seconds from the submission of an application to the first start of its task.",
            "Feitelson, \"Metrics for parallel job scheduling and their convergence\", JSSPP 2001"),
    /** Bounded slowdown. */
    BOUNDED_SLOWDOWN(
            "bounded slowdown",
            "max(1, (end − submission) ÷ max(duration, 10 s)): how many times longer it took than on an empty cluster; tasks under"
                    + " ten seconds count as ten.",
            "Feitelson, Rudolph, Schwiegelshohn, Sevcik, Wong, \"Theory and practice in parallel job scheduling\", JSSPP 1997"),
    /** Makespan. */
    MAKESPAN(
            "makespan",
            "From the first submission to the last end; to the end of the simulation if something still ran then.",
            "Pinedo, \"Scheduling\", Springer"),
    /** Throughput. */
    THROUGHPUT("throughput", "Tasks that succeeded ÷ makespan.", ""),
    /** Utilisation. */
    UTILISATION(
            "utilisation",
            "Amount in use ÷ capacity of the ready nodes, the mean over the makespan (not sampled: it is summed up at every change).",
            ""),
    /** Fragmentation. */
    FRAGMENTATION(
            "fragmented",
            "What is free on nodes that fit not one of the tasks that wait, while some wait. What is free where one would fit, but a"
                    + " quota or a policy keeps it from starting, is withheld. Of a run: of the scarcest resource.",
            "after Weng et al., \"Beware of Fragmentation\", USENIX ATC 2023, where it is weighted by how frequent tasks are"),
    /** Received share. */
    RECEIVED_SHARE(
            "received share",
            "The largest part of any resource of the cluster that the tasks of a queue hold (dominant share).",
            "Ghodsi et al., \"Dominant Resource Fairness\", NSDI 2011"),
    /** Due share. */
    DUE_SHARE(
            "due share",
            "Max-min fair by weight, from root down: every child gets its share in proportion to its weight, but no more than it has work for;"
                    + " what it does not need is divided among the others. Weights are: the load percentage below load; 1 ÷ √factor below"
                    + " usage; below fair what is guaranteed, else the maximum, else everything, as a part of the cluster: of several resources the"
                    + " smallest part. A child of 0 % is due nothing.",
            "Bertsekas, Gallager, \"Data Networks\", section 6.5"),
    /** Area between. */
    AREA(
            "area between",
            "The mean over time of |received − due|. Of a run: half the sum over the leaf queues, which is the part of the cluster that was"
                    + " with the wrong queue.",
            ""),
    /** Jain's index. */
    JAIN(
            "Jain's index",
            "(Σ x)² ÷ (n Σ x²): 1 if all are alike, 1 ÷ n if one has everything. Of queues x = received ÷ due; of users x = mean bounded"
                    + " slowdown.",
            "Jain, Chiu, Hawe, \"A quantitative measure of fairness\", DEC-TR-301, 1984"),
    /** Loans. */
    LOANS(
            "loans",
            "Below a load parent: slots that a class holds beyond its entitlement × time (taken); the part of others' entitlements that this"
                    + " used, in proportion to what they left idle (given).",
            ""),
    /** Starvation. */
    STARVATION(
            "longest wait",
            "The longest that any task waited for its first start, those that never started included.",
            ""),
    /** Lost work. */
    LOST_WORK("lost work", "Slots × time of runs that were stopped and began anew.", ""),
    /** Offered load. */
    OFFERED_LOAD(
            "offered load",
            "What all tasks take (amount × duration) ÷ (capacity × time from the first to the last submission), by resource: above 1, more"
                    + " comes in than can be done meanwhile.",
            "Feitelson, \"Workload Modeling for Computer Systems Performance Evaluation\", Cambridge University Press, 2015"),
    /** The bound of the oracle. */
    SHORTEST_FIRST(
            "shortest first",
            "An oracle that knows every duration (to 5 %) and starts what is shortest of all that fits, whoever waits: close to the least mean"
                    + " waiting time.",
            "Smith, \"Various optimizers for single-stage production\", 1956"),
    /** The bound without limits. */
    INFINITE_NODES("infinite nodes", "Every node has as much as everything needs: nothing ever waits.", ""),
    /** The bound without thought. */
    RANDOM_ORDER("random order", "Whatever fits, in an order drawn by lot: what can be had without thinking.", "");

    private final String term;
    private final String meaning;
    private final String source;

    Definition(String term, String meaning, String source) {
        this.term = term;
        this.meaning = meaning;
        this.source = source;
    }

    /** The word in tables and reports. */
    public String term() {
        return term;
    }

    /** What it means. */
    public String meaning() {
        return meaning;
    }

    /** Where the definition comes from; empty if it needs none. */
    public String source() {
        return source;
    }
}
