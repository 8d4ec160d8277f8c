package dev.sluice.core.state;

import java.util.AbstractCollection;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Applications in the order of submission, as a linked list through the applications themselves. An application is also
 * a cursor: it stays valid when this or other applications are removed.
 */
final class ApplicationList extends AbstractCollection<Application> {

    private @Nullable Application first;
    private @Nullable Application last;
    private @Nullable Application removedLast; // the first one removed from the end since the last append
    private int size;

    /**
     * Returns the application after this one, or the first one for null; null at the end. After a removed application,
     * returns its successor at the time of its removal, or the next one that is still present.
     */
    @Nullable Application next(@Nullable Application after) {
        Application next = after == null ? first : after.next;
        while (next != null && next.isForgotten()) {
            next = next.next;
        }
        return next;
    }

    void append(Application application) {
        Application before = last;
        application.previous = before;
        if (before == null) {
            first = application;
        } else {
            before.next = application;
        }
        last = application;
        if (removedLast != null) {
            removedLast.next = application;
            removedLast = null;
        }
        size++;
    }

    /** Removes a forgotten application. Its own link stays, for cursors at it. */
    void remove(Application application) {
        Application before = application.previous;
        Application after = application.next;
        if (before == null) {
            first = after;
        } else {
            before.next = after;
        }
        if (after != null) {
            after.previous = before;
        } else {
            last = before;
            if (removedLast == null) {
                removedLast = application;
            } else {
                application.next = removedLast; // the link that leads cursors to what is appended next
            }
        }
        application.previous = null;
        size--;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public Iterator<Application> iterator() {
        return new Iterator<>() {

            private @Nullable Application next = ApplicationList.this.next(null);

            @Override
            public boolean hasNext() {
                return next != null;
            }

            @Override
            public Application next() {
                Application current = next;
                if (current == null) {
                    throw new NoSuchElementException();
                }
                next = ApplicationList.this.next(current);
                return current;
            }
        };
    }
}
