// Small things that the page does in the browser; it works without them, but does not update itself.
'use strict';

// A form that asks first.
document.addEventListener('submit', (event) => {
  const question = event.target.dataset.question;
  if (question && !window.confirm(question)) {
    event.preventDefault();
  }
});

// Says when the server does not answer, and stops saying so when it does again.
const offline = (is) => {
  const notice = document.getElementById('offline');
  if (notice) {
    notice.hidden = !is;
  }
};
document.addEventListener('htmx:sseError', () => offline(true));
document.addEventListener('htmx:sseOpen', () => offline(false));
document.addEventListener('htmx:sendError', () => offline(true));

// After the server was gone: what has changed meanwhile.
let lost = false;
document.addEventListener('htmx:sseError', () => {
  lost = true;
});
document.addEventListener('htmx:sseOpen', () => {
  const live = document.getElementById('live');
  if (lost && live) {
    lost = false;
    window.htmx.trigger(live, 'sse:change');
  }
});

// A log stays at its end while the reader is there.
const log = document.querySelector('pre.log');
if (log) {
  log.scrollTop = log.scrollHeight;
  let atEnd = true;
  log.addEventListener('scroll', () => {
    atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 20;
  });
  new MutationObserver(() => {
    if (atEnd) {
      log.scrollTop = log.scrollHeight;
    }
  }).observe(log, { childList: true, subtree: true });
}
