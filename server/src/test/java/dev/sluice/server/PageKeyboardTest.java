package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The page with the keyboard alone, while it updates itself. */
final class PageKeyboardTest extends BrowserFixture {

    private static String focused(Chromium.Tab page) {
        return page.evaluate("document.activeElement.innerText").asString();
    }

    @Test
    void page_firstTab_skipsToTheContent() {
        Chromium.Tab page = signedIn();
        page.open(address(UI + "/queues"));
        page.press("Tab");
        assertThat(focused(page)).isEqualTo("Skip to the content");
        page.press("Enter");
        page.awaitTrue("document.activeElement.id === 'content'");
        page.tabTo("[id=\"q-root.sandbox\"]");
        page.press("Enter");
        page.awaitTrue("location.pathname.endsWith('/queues/root.sandbox')");
    }

    @Test
    void application_waiting_isCancelledWithoutMouse() {
        submit("runs", "sleep 600");
        submit("waits", "sleep 600");
        Chromium.Tab page = signedIn();
        page.open(address(UI + "/applications"));
        page.tabTo("#a-waits");
        page.press("Enter");
        page.awaitText("Why does it wait?");
        page.tabTo("#b-cancel");
        page.press("Space");
        page.awaitTrue("document.querySelector('.state').innerText === 'Failed'");
        assertThat(page.dialogs()).hasSize(1);
        assertThat(page.complaints()).isEmpty();
    }

    @Test
    void update_leavesFocusAndPlace() {
        submit("runs", "sleep 600");
        Chromium.Tab page = signedIn();
        page.width(360);
        page.open(address(UI + "/applications/runs"));
        page.awaitText("Running");
        page.tabTo("[aria-label=\"Tasks of the application\"]");
        page.press("ArrowRight");
        page.awaitTrue("document.activeElement.scrollLeft > 0");
        page.evaluate("window.before = document.activeElement; window.live = document.getElementById('live')");

        send(200, "POST", "/partitions/default/applications/runs/hold", "");
        page.awaitText("held");
        assertThat(page.evaluate("window.before === document.activeElement && window.before.isConnected")
                        .asBoolean())
                .isTrue();
        page.awaitTrue("document.activeElement.scrollLeft > 0");
        page.tabTo("[aria-label=\"Tasks of the application\"] a");

        send(200, "POST", "/partitions/default/applications/runs/release", "");
        page.awaitTrue("!document.getElementById('live').innerText.includes('held')");
        assertThat(focused(page)).isEqualTo("t");
        assertThat(page.complaints()).isEmpty();
    }
}
