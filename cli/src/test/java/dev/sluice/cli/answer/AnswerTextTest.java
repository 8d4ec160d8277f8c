package dev.sluice.cli.answer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.client.ServerAnswer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

final class AnswerTextTest {

    private static String written(String json, BiConsumer<JsonNode, PrintWriter> how) {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        how.accept(new ServerAnswer(200, json).tree(), out);
        out.flush();
        return text.toString();
    }

    @Test
    void answer_asYaml_saysTheSame() {
        assertThat(written("{\"a\":1,\"b\":[\"yes\",2.5,true],\"c\":{\"d\":\"x y\"},\"e\":null}", AnswerText::yaml))
                .isEqualTo("""
                        a: 1
                        b:
                          - "yes"
                          - 2.5
                          - true
                        c: {d: "x y"}
                        """);
        assertThat(written("[{\"a\":1},{\"a\":2}]", AnswerText::yaml)).isEqualTo("- {a: 1}\n- {a: 2}\n");
        assertThat(written("[]", AnswerText::yaml)).isEqualTo("[]\n");
    }

    @Test
    void answer_asJson_isPretty() {
        assertThat(written("{\"a\":1,\"items\":[{\"b\":\"x\"},{\"b\":\"y\"}]}", AnswerText::json))
                .isEqualTo("""
                        {
                          "a": 1,
                          "items": [
                            {"b": "x"},
                            {"b": "y"}
                          ]
                        }
                        """);
    }
}
