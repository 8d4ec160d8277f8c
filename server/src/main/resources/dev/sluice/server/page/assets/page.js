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

// After the server was gone, or the page was not to be seen: what has changed meanwhile. A server that answers but
// refuses the stream may ask to sign in again.
let missed = false;
document.addEventListener('htmx:sseError', (event) => {
  missed = true;
  const live = document.getElementById('live');
  if (live && event.detail.source.readyState === EventSource.CLOSED) {
    window.htmx.trigger(live, 'sse:change');
  }
});
document.addEventListener('htmx:sseOpen', () => {
  const live = document.getElementById('live');
  if (missed && live) {
    missed = false;
    window.htmx.trigger(live, 'sse:change');
  }
});

// The event stream of a page, open while the page can be seen: browsers open at most six connections to a server that
// does not use HTTP/2, so a seventh tab would wait for the streams of the others.
class Changes extends EventTarget {
  #address;
  #source = null;
  #closed = false;
  onopen = null;
  onerror = null;

  constructor(address) {
    super();
    this.#address = address;
    document.addEventListener('visibilitychange', this.#follow);
    this.#follow();
  }

  get readyState() {
    return this.#closed ? EventSource.CLOSED : (this.#source?.readyState ?? EventSource.CONNECTING);
  }

  #follow = () => {
    if (document.hidden) {
      this.#source?.close();
      this.#source = null;
      missed = true;
    } else if (this.#source === null) {
      this.#open();
    }
  };

  #open() {
    const source = new EventSource(this.#address);
    source.onopen = (event) => this.onopen?.(event);
    source.onerror = (event) => {
      if (source.readyState === EventSource.CLOSED) {
        this.close();
      }
      this.onerror?.(event);
    };
    source.addEventListener('change', (event) => this.dispatchEvent(new MessageEvent('change', { data: event.data })));
    this.#source = source;
  }

  close() {
    document.removeEventListener('visibilitychange', this.#follow);
    this.#closed = true;
    this.#source?.close();
  }
}
if (window.htmx) {
  window.htmx.createEventSource = (address) => new Changes(address);
}

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
