package dev.sluice.runtime.machine;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Decides as which users of this machine tasks run. Thread-safe. */
public interface Accounts {

    /** All tasks run as the user of this program. */
    Accounts SHARED = new Accounts() {
        @Override
        public TaskUser of(String submitter) {
            return new TaskUser.Unchanged();
        }

        @Override
        public String description() {
            return "of all users run as " + System.getProperty("user.name");
        }
    };

    /**
     * Returns as whom the tasks of a submitter run; may block for some seconds.
     *
     * @throws IOException if the users of the system cannot be read at present
     */
    TaskUser of(String submitter) throws IOException;

    /** Returns the rest of a sentence that begins with "tasks". */
    String description();

    /** Returns whether tasks may run as another user than this program. */
    default boolean changeUser() {
        return false;
    }

    /** Returns why the tasks of a submitter never run, and what helps; null if that is not known before they start. */
    default @Nullable String refusal(String submitter) {
        return null;
    }

    /**
     * Returns accounts with which the tasks of one submitter alone run, as the user of this program.
     *
     * @param own the name of the user of this program
     */
    static Accounts only(String own) {
        return new Accounts() {
            @Override
            public TaskUser of(String submitter) {
                String refusal = refusal(submitter);
                return refusal == null ? new TaskUser.Unchanged() : new TaskUser.Refused(refusal);
            }

            @Override
            public String description() {
                return "of user " + own + " alone run here";
            }

            @Override
            public @Nullable String refusal(String submitter) {
                return submitter.equals(own)
                        ? null
                        : "tasks of user " + submitter + " do not run here: the server runs as " + own
                                + ", who cannot start tasks as others; start it as root, or with --shared-account to"
                                + " run the tasks of all users as " + own;
            }
        };
    }
}
