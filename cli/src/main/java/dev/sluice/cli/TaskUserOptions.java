package dev.sluice.cli;

import dev.sluice.runtime.file.UserFolders;
import dev.sluice.runtime.machine.Accounts;
import dev.sluice.runtime.machine.SystemAccounts;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say as which users a server runs tasks. */
final class TaskUserOptions {

    @Option(
            names = "--shared-account",
            description = "Run the tasks of all users as the user of the server. Default, if callers are verified: as"
                    + " their submitters if the server runs as root, else only those of the server's own user.")
    private boolean sharedAccount;

    @Option(
            names = "--allow-root",
            description =
                    "Let tasks run as root. Default: applications of root are refused, and so are --shared-account"
                            + " and --insecure if the server runs as root.")
    private boolean allowRoot;

    /** Returns the name of an option that was given, or null. */
    @Nullable String given() {
        return sharedAccount ? "--shared-account" : allowRoot ? "--allow-root" : null;
    }

    /**
     * Returns as which users tasks run.
     *
     * @param verified whether the server knows who its callers are
     * @throws UserException if an option has no effect, or would make every task one of root
     */
    Accounts accounts(boolean verified) {
        return accounts(verified, UserFolders.isRoot(), System.getProperty("user.name", "nobody"));
    }

    /**
     * Same as {@link #accounts(boolean)} for another user.
     *
     * @param root whether the server runs as root
     * @param user the user of the server
     */
    Accounts accounts(boolean verified, boolean root, String user) {
        if (!verified && sharedAccount) {
            throw new UserException("--shared-account has no effect while the server does not verify its callers: their"
                    + " tasks run as the user of the server");
        }
        if (!root && allowRoot) {
            throw new UserException("--allow-root has no effect: the server does not run as root");
        }
        boolean shared = sharedAccount || !verified;
        if (shared && root && !allowRoot) {
            throw new UserException((sharedAccount ? "--shared-account" : "--insecure")
                    + " would run all tasks as root: start the server as another user, or add --allow-root");
        }
        if (shared) {
            return Accounts.SHARED;
        }
        return root ? SystemAccounts.find(allowRoot) : Accounts.only(user);
    }
}
