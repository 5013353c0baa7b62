// The two ways to the server: calls, which are answered at once, and the tab's own line, on which
// searches report. docs/page.md has every message.

export const VERSION = 1;

/** What went wrong, with the server's code. */
export class Problem extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** A call. */
export async function call(name, fields = {}) {
  let response;
  try {
    response = await fetch("/api/" + name, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ v: VERSION, ...fields }),
    });
  } catch {
    throw new Problem("offline", "");
  }
  let content = null;
  try {
    content = await response.json();
  } catch { /* told below */ }
  if (response.ok && content) return content;
  throw new Problem(content?.error?.code ?? "failed", content?.error?.message ?? String(response.status));
}

/** The tab's line to the server: it comes back by itself when the server does. */
export class Line {
  /** @param {(open: boolean) => void} changed */
  constructor(changed) {
    this.changed = changed;
    this.open = false;
    this.number = 0;
    this.wait = 250;
    this.waiting = new Map();
    this.listeners = new Map();
    this.connect();
  }

  connect() {
    const socket = new WebSocket(`ws://${location.host}/api/live`);
    this.socket = socket;
    socket.onopen = () => {
      this.open = true;
      this.wait = 250;
      this.changed(true);
    };
    socket.onmessage = (event) => this.hear(JSON.parse(event.data));
    socket.onclose = () => {
      this.open = false;
      for (const { reject } of this.waiting.values()) reject(new Problem("offline", ""));
      this.waiting.clear();
      this.changed(false);
      setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(2 * this.wait, 4000);
    };
  }

  hear(message) {
    const asked = this.waiting.get(message.id);
    if (asked) {
      this.waiting.delete(message.id);
      if (message.error) asked.reject(new Problem(message.error.code, message.error.message));
      else asked.resolve(message);
      if (!asked.stays) return;
    }
    this.listeners.get(message.do)?.(message);
  }

  /** Hear messages of a kind that nobody has asked for just now. */
  on(kind, listener) {
    this.listeners.set(kind, listener);
  }

  /** Say something; its number. */
  tell(what, fields = {}) {
    this.number += 1;
    if (this.open) this.socket.send(JSON.stringify({ v: VERSION, id: this.number, do: what, ...fields }));
    return this.number;
  }

  /** Ask something; the answer. */
  ask(what, fields = {}) {
    if (!this.open) return Promise.reject(new Problem("offline", ""));
    return new Promise((resolve, reject) => {
      this.waiting.set(this.tell(what, fields), { resolve, reject });
    });
  }
}
