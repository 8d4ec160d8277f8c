package dev.sluice.cli;

import dev.sluice.cli.source.FileProblem;
import dev.sluice.runtime.journal.JournalCheck;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.secret.SecretKeyFile;
import dev.sluice.server.backup.Backup;
import dev.sluice.server.backup.FolderCheck;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Maintains the data folder of a server, on its machine. */
@Command(
        name = "admin",
        description = {
            "Back up, restore and check the data of a server",
            "",
            "These commands work on the data folder, on the machine of the server and as its user. For a journal in"
                    + " PostgreSQL, use the tools of PostgreSQL."
        },
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class,
        subcommands = {AdminCommand.BackUp.class, AdminCommand.Restore.class, AdminCommand.Check.class},
        footerHeading = ServerCommand.EXAMPLES,
        footer = {
            "  sluice admin backup --data /var/lib/sluice/data backup.tar.gz",
            "  sluice admin restore backup.tar.gz --data /var/lib/sluice/data",
            "  sluice admin check /var/lib/sluice/data",
            "",
            AdminCommand.EXIT_CODES
        })
final class AdminCommand implements Runnable {

    static final String EXIT_CODES =
            "Exit codes: 0 success, 1 the data is damaged, 2 bad input or a file cannot be read or written.";

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "missing subcommand: backup, restore or check");
    }

    @Command(mixinStandardHelpOptions = true, versionProvider = ProgramVersion.class)
    abstract static class AdminSubcommand implements Callable<Integer> {

        @Spec
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private CommandSpec spec;

        abstract FolderCheck execute() throws IOException, StoreException;

        /** Prints what follows a check without problems. */
        abstract void conclude(PrintWriter out, FolderCheck check) throws IOException;

        @Override
        public final Integer call() {
            PrintWriter out = spec.commandLine().getOut();
            PrintWriter err = spec.commandLine().getErr();
            try {
                FolderCheck check = execute();
                check.problems().forEach(problem -> err.println("sluice: error: " + problem));
                check.warnings().forEach(warning -> err.println("sluice: warning: " + warning));
                if (check.problems().isEmpty()) {
                    conclude(out, check);
                }
                return check.problems().isEmpty() ? ExitCode.OK : ExitCode.FAILED;
            } catch (StoreException e) {
                throw new UserException(String.valueOf(e.getMessage()));
            } catch (IOException e) {
                throw new UserException(FileProblem.text(e));
            } finally {
                err.flush();
                out.flush();
            }
        }

        static String journal(FolderCheck check) {
            JournalCheck journal = check.journal();
            if (journal == null) {
                return "journal not checked";
            }
            String checkpoints = journal.checkpoints() == 1 ? "1 checkpoint" : journal.checkpoints() + " checkpoints";
            return journal.last() < journal.first()
                    ? "no events, " + checkpoints
                    : "events " + journal.first() + " to " + journal.last() + ", " + checkpoints;
        }

        static String mebibytes(long bytes) {
            return String.format(Locale.ROOT, "%.1f MiB", bytes / (double) (1 << 20));
        }
    }

    @Command(
            name = "backup",
            description = {
                "Write a backup; the server may run meanwhile",
                "",
                "The file is a tar.gz archive of the data folder, with the journal as of one instant. It is verified"
                        + " before the command ends. Meanwhile, the folder of FILE needs free space for a copy of"
                        + " the database. Backups contain what users pass to their tasks, including passwords."
            },
            footerHeading = ServerCommand.EXAMPLES,
            footer = {
                "  sluice admin backup --data /var/lib/sluice/data backup.tar.gz",
                "  sluice admin backup --no-logs /backup/sluice.tar.gz",
                "",
                EXIT_CODES
            })
    static final class BackUp extends AdminSubcommand {

        @Parameters(paramLabel = "FILE", description = "Backup to write; must not exist.")
        private Path file = Path.of("");

        @Option(
                names = "--data",
                paramLabel = "DIR",
                defaultValue = ".sluice/server",
                description = "Data folder of the server. Default: .sluice/server.")
        private Path data = Path.of(".sluice/server");

        @Option(names = "--no-logs", description = "Leave out the logs of tasks.")
        private boolean noLogs;

        @Override
        FolderCheck execute() throws IOException, StoreException {
            return Backup.write(data, file, !noLogs);
        }

        @Override
        void conclude(PrintWriter out, FolderCheck check) throws IOException {
            out.println("wrote " + file + ": " + journal(check) + ", " + mebibytes(Files.size(file)));
            Path key = data.resolve(SecretKeyFile.NAME);
            if (Files.exists(key)) {
                out.println(
                        "not included: " + key + ", the key of secrets; keep a copy elsewhere, or tasks with secrets"
                                + " cannot start after a restore");
            }
        }
    }

    @Command(
            name = "restore",
            description = {
                "Restore a backup to an empty data folder",
                "",
                "Stop the server whose data the backup contains before you start a server on the restored folder:"
                        + " both would manage the same tasks. Tasks that were running at the time of the backup count"
                        + " as lost and run again, even if they have ended since."
            },
            footerHeading = ServerCommand.EXAMPLES,
            footer = {"  sluice admin restore backup.tar.gz --data /var/lib/sluice/data", "", EXIT_CODES})
    static final class Restore extends AdminSubcommand {

        @Parameters(paramLabel = "FILE", description = "Backup to read.")
        private Path file = Path.of("");

        @Option(
                names = "--data",
                paramLabel = "DIR",
                required = true,
                description = "Data folder to create; must not exist or must be empty.")
        private Path data = Path.of("");

        @Override
        FolderCheck execute() throws IOException, StoreException {
            return Backup.restore(file, data);
        }

        @Override
        void conclude(PrintWriter out, FolderCheck check) {
            out.println("restored " + data + ": " + journal(check));
            if (check.runningProcesses() > 0) {
                out.println("tasks of this data run on this machine (" + check.runningProcesses()
                        + " processes): stop the other server before you start one here");
            }
        }
    }

    @Command(
            name = "check",
            description = {
                "Verify a data folder without changing it",
                "",
                "Verifies every page of the database, decodes the journal, computes the state from it, compares this"
                        + " with all checkpoints, and looks for unreadable task logs. A running server continues; if"
                        + " none runs, none can start until the check ends."
            },
            footerHeading = ServerCommand.EXAMPLES,
            footer = {"  sluice admin check /var/lib/sluice/data", "", EXIT_CODES})
    static final class Check extends AdminSubcommand {

        @Parameters(paramLabel = "DIR", description = "Data folder.")
        private Path data = Path.of("");

        @Override
        FolderCheck execute() throws IOException, StoreException {
            return FolderCheck.of(data);
        }

        @Override
        void conclude(PrintWriter out, FolderCheck check) {
            out.println(data + ": no problems found" + (check.isInUse() ? " (a server uses it)" : ""));
            out.println("  journal    " + journal(check));
            out.println("  task logs  " + check.logFiles() + (check.logFiles() == 1 ? " file, " : " files, ")
                    + mebibytes(check.logBytes()));
        }
    }
}
