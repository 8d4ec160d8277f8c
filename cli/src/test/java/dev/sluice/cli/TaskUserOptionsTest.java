package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

final class TaskUserOptionsTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # options                       | verified | root  | tasks
                                            | false    | false | of all users run as
            --allow-root                    | false    | true  | of all users run as
                                            | true     | true  | run as their submitters
                                            | true     | false | of user svc alone run here
            --allow-root                    | true     | true  | run as their submitters, root included
            --shared-account                | true     | false | of all users run as
            --shared-account --allow-root   | true     | true  | of all users run as
            """)
    void tasks_perServer_runAs(String options, boolean verified, boolean root, String tasks) {
        assertThat(options(options).accounts(verified, root, "svc").description())
                .startsWith(tasks);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --shared-account              | false | true  | --shared-account has no effect while the server does not
            --shared-account              | false | false | --shared-account has no effect while the server does not
            --shared-account --allow-root | false | true  | --shared-account has no effect while the server does not
            --allow-root                  | false | false | --allow-root has no effect: the server does not run as root
            --allow-root                  | true  | false | --allow-root has no effect: the server does not run as root
                                          | false | true  | --insecure would run all tasks as root: start the server as
            --shared-account              | true  | true  | --shared-account would run all tasks as root
            """)
    void options_withoutEffectOrUnsafe_areRefused(String options, boolean verified, boolean root, String message) {
        assertThatThrownBy(() -> options(options).accounts(verified, root, "svc"))
                .isInstanceOf(UserException.class)
                .hasMessageStartingWith(message);
    }

    private static TaskUserOptions options(String text) {
        TaskUserOptions options = new TaskUserOptions();
        new CommandLine(new Holder(options)).parseArgs(text == null ? new String[0] : text.split(" "));
        return options;
    }

    @CommandLine.Command(name = "serve")
    private record Holder(@CommandLine.Mixin TaskUserOptions options) {}
}
