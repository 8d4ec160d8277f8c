package dev.sluice.kubernetes.reconciliation;

import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.TaskEvent;

/** What has to be compared again because the state has changed. */
public final class StateChanges {

    private StateChanges() {}

    /** Records in the view what has to be compared again because of an event of its partition. */
    public static void touch(ClusterView view, Event event) {
        if (event instanceof TaskEvent.RunEvent run && !(event instanceof TaskEvent.Started)) {
            view.touchMembers(run.application());
        }
        if (event instanceof TaskEvent.Ended ended) {
            view.changes().touchNode(ended.node());
            view.changes()
                    .touchTask(new TaskKey(ended.application(), ended.task().id()));
            if (ended.again()) {
                view.changes().touchApplication(ended.application());
            }
        } else if (event instanceof TaskEvent.RunEvent run) {
            view.changes().touchTask(new TaskKey(run.application(), run.task().id()));
        } else if (event instanceof TaskEvent.Dropped dropped) {
            view.changes().touchApplication(dropped.application());
        } else if (event instanceof ApplicationEvent.GangTimedOut timedOut) {
            view.changes().touchApplication(timedOut.application());
        } else if (event instanceof ApplicationEvent.StateChanged changed
                && changed.to().isEnded()) {
            view.changes().touchApplication(changed.application());
        }
    }
}
