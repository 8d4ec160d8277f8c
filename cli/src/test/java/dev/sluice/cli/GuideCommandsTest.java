package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.GuideCommands.GuideCommand;
import org.junit.jupiter.api.Test;

final class GuideCommandsTest {

    private static final String GUIDE = """
            # Guide

            First run `kubectl get
            nodes` and not `make`:

                helm install a \\
                    --set b=c
                kubectl get pods |
                    wc -l

            ```yaml
                kubectl: no command
            ```

            - A list:

                  $ sluice list
                  NAME         AGE
                  a-0b1c2d3e   5m
                  …
                  $ sluice wait a

                metadata:
                  name: a
            """;

    @Test
    void commands_ofBlocksAndText_areInOrder() {
        GuideCommands parsed = new GuideCommands(GUIDE);
        assertThat(parsed.commands())
                .extracting(GuideCommand::text)
                .containsExactly(
                        "kubectl get nodes",
                        "helm install a --set b=c",
                        "kubectl get pods | wc -l",
                        "sluice list",
                        "sluice wait a");
        assertThat(parsed.commands())
                .extracting(GuideCommand::isInText)
                .containsExactly(true, false, false, false, false);
        assertThat(parsed.others()).containsExactly("metadata:");
    }

    @Test
    void output_differsOnlyInWhatIsMasked() {
        GuideCommand list = new GuideCommands(GUIDE).commands().get(3);
        assertThat(list.matches("NAME           AGE\na-ffffffff     2m5s\n")).isTrue();
        assertThat(list.matches("NAME AGE\na-ffffffff 7s\nb-ffffffff 7s\n")).isTrue();
        assertThat(list.matches("NAME AGE\nb-ffffffff 7s\n")).isFalse();
        assertThat(list.matches("NAME AGE\na-ffffffff never\n")).isFalse();
        assertThat(list.matches("AGE\na-ffffffff 7s\n")).isFalse();
    }
}
