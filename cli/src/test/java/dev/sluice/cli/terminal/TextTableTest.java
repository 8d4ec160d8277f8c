package dev.sluice.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.terminal.TextTable.Cell;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TextTableTest {

    private static String print(TextTable table, int widthMax) {
        StringWriter out = new StringWriter();
        table.print(new PrintWriter(out), Style.PLAIN, "  ", widthMax);
        return out.toString();
    }

    private static TextTable table() {
        TextTable table = new TextTable(10).text("APPLICATION").number("TASKS").text("WHY");
        table.row(List.of(Cell.of("nightly-etl-of-everything"), Cell.of(12), Cell.of("insufficient vcore on node n")));
        table.row(List.of(Cell.of("b"), Cell.of(3), Cell.of("")));
        return table;
    }

    @Test
    void table_withEnoughWidth_isShownInFull() {
        assertThat(print(table(), Integer.MAX_VALUE)).isEqualTo("""
                  APPLICATION                TASKS  WHY
                  nightly-etl-of-everything     12  insufficient vcore on node n
                  b                              3
                """);
    }

    @Test
    void table_tooWide_shortensTheWidestTexts() {
        assertThat(print(table(), 46)).isEqualTo("""
                  APPLICATION        TASKS  WHY
                  nightly-etl-of-e…     12  insufficient vcor…
                  b                      3
                """);
    }

    @Test
    void table_muchTooWide_omitsColumnsAndNamesThem() {
        assertThat(print(table(), 24)).isEqualTo("""
                  APPLICATION  TASKS
                  nightly-et…     12
                  b                3
                  … columns omitted, te…
                """);
    }

    @Test
    void columns_ofVariableAndTerminal_areAtLeast80() {
        assertThat(TerminalSize.columns(null, 132)).isEqualTo(132);
        assertThat(TerminalSize.columns("100", 132)).isEqualTo(100);
        assertThat(TerminalSize.columns("x", 132)).isEqualTo(132);
        assertThat(TerminalSize.columns("20", 132)).isEqualTo(80);
        assertThat(TerminalSize.columns(null, 40)).isEqualTo(80);
    }
}
