package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Reports of simulations on the page, and accounting as a table. */
final class PageReportsTest extends PageFixture {

    private static final String REPORTS = "/ui/partitions/default/reports";
    private static final Pattern REPORT = Pattern.compile("href=\"(" + REPORTS + "/[0-9]+)\"");

    private void run(String id) {
        expect(
                201,
                "",
                client.send("POST", APPLICATIONS, application(id, "true"), TestHttpClient.JSON, "Sluice-User", "=ada"));
        await().untilAsserted(() ->
                assertThat(ok(client.get(APPLICATIONS + "/" + id)).at("/state")).isEqualTo("Completed"));
    }

    private static Reply page(PageClient browser) {
        Reply page = browser.get(REPORTS);
        assertThat(HtmlCheck.problems(page.text())).as(page.text()).isEmpty();
        return page;
    }

    private static Reply awaitEnd(PageClient browser) {
        await().until(() -> !page(browser).text().contains("A simulation is running"));
        return page(browser);
    }

    @Test
    void report_ofPastWork_comparesConfigurations() {
        run("past");
        PageClient browser = browser();
        Reply started = browser.post(
                REPORTS,
                page(browser),
                Map.of(
                        "period",
                        "day",
                        "text",
                        QUEUES.replace("sandbox", "sandbox\n            properties: {application.sort.policy: fair}")));
        assertThat(started.status()).as(started.text()).isEqualTo(303);
        Reply page = awaitEnd(browser);
        Matcher link = REPORT.matcher(page.text());
        assertThat(link.find()).as(page.text()).isTrue();

        Reply report = browser.getForeign(link.group(1));
        assertThat(report.status()).isEqualTo(200);
        assertThat(report.text()).contains("current", "other", "default, the last day");
        assertThat(report.header("Content-Security-Policy"))
                .startsWith("default-src 'none'")
                .contains("script-src 'sha256-", "frame-ancestors 'none'", "sandbox allow-scripts")
                .doesNotContain("unsafe", "allow-same-origin");
        assertThat(browser.get(REPORTS + "/99").status()).isEqualTo(404);
    }

    @Test
    void configuration_wrong_isExplained() {
        PageClient browser = browser();
        Reply wrong =
                browser.post(REPORTS, page(browser), Map.of("period", "day", "text", "partitions: [{name: <b>}]"));
        assertThat(wrong.status()).isEqualTo(422);
        assertThat(HtmlCheck.problems(wrong.text())).isEmpty();
        assertThat(wrong.text()).contains("the configuration is wrong").doesNotContain("<b>");
        Reply other = browser.post(
                REPORTS, page(browser), Map.of("text", "partitions: [{name: other, queues: [{name: root}]}]"));
        assertThat(other.text()).contains("the configuration has no partition default");
    }

    @Test
    void table_hasUsageAndNoFormulas() {
        run("used");
        Reply table = browser().get("/ui/partitions/default/usage/table?by=user&period=day");
        assertThat(table.type()).startsWith("text/csv");
        assertThat(table.header("Content-Disposition"))
                .isEqualTo("attachment; filename=\"usage-default-user-day.csv\"");
        assertThat(table.text())
                .startsWith("\"from\",\"to\",\"partition\",\"user\",\"tasks\",\"runs\"")
                .contains("\"'=ada\"");
    }
}
