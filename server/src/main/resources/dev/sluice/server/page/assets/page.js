// Small things that the page does in the browser; it works without them, but does not update itself.
'use strict';

// A form that asks first.
document.addEventListener('submit', (event) => {
  const question = event.target.dataset.question || event.submitter?.dataset.question;
  if (question && !window.confirm(question)) {
    event.preventDefault();
  }
});

// Says when the server does not answer or cannot show the page, and stops saying so when it does again.
const offline = (why) => {
  const notice = document.getElementById('offline');
  if (notice) {
    notice.hidden = why === '';
    notice.querySelector('span').textContent = why;
  }
};
const isLive = (event) => event.detail.target?.id === 'live';
const noAnswer = 'The server does not answer.';
document.addEventListener('htmx:sseError', () => offline(noAnswer));
document.addEventListener('htmx:sseOpen', () => offline(''));
document.addEventListener('htmx:sendError', () => offline(noAnswer));
document.addEventListener('htmx:responseError', (event) => {
  if (isLive(event)) {
    offline(`The server answered with error ${event.detail.xhr.status}; reload the page to see why.`);
  }
});
document.addEventListener('htmx:afterRequest', (event) => {
  if (isLive(event) && event.detail.successful) {
    offline('');
  }
});

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

// A log stays at its end while the reader is there; that of a task that waits appears later.
document.addEventListener('htmx:load', (event) => {
  const log = event.detail.elt.querySelector('pre.log');
  if (!log) {
    return;
  }
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
});

// Leads to the place of an error in the editor.
document.addEventListener('click', (event) => {
  const place = event.target.closest('a[data-line]');
  const editor = document.getElementById('text');
  if (place && editor) {
    event.preventDefault();
    const lines = editor.value.split('\n');
    const line = Math.max(0, Number(place.dataset.line) - 1);
    const before = lines.slice(0, line).join('\n').length + (line > 0 ? 1 : 0);
    const at = before + Math.max(0, Number(place.dataset.column) - 1);
    editor.focus();
    editor.setSelectionRange(at, before + (lines[line] ?? '').length);
    editor.scrollTop = (editor.scrollHeight * line) / lines.length - editor.clientHeight / 2;
  }
});

// Says so when a form could not be sent in the background.
document.addEventListener('htmx:responseError', (event) => {
  const result = document.getElementById('result');
  if (result) {
    result.textContent = `The server answered ${event.detail.xhr.status}. Reload the page and try again.`;
  }
});
