// The panel beside every page: the shop server's calls, its received events, and what the widget
// told the page.
import type { Numbered } from './feed.ts';
import type { Registration } from './hooks.ts';
import { html, type Html } from './html.ts';

const KINDS: Readonly<Record<Numbered['kind'], string>> = {
  call: 'call:',
  event: 'event:',
  page: 'widget:',
};

/** One note; the body opens on a click. */
export function noteHtml(note: Numbered): Html {
  const { kind, quiet, good, at, title, line, mark, body } = note;
  const time = at.toISOString().slice(11, 19);
  const head = html`<span class="note-head"><code>${title}</code>
<span class="result${good ? '' : ' bad'}">${mark}</span></span>
<span class="note-line">${KINDS[kind]} ${line} · <time datetime="${at.toISOString()}">${time}</time>
</span>`;
  const inside =
    body === null
      ? html`<div class="note-body">${head}</div>`
      : html`<details><summary>${head}</summary>
<pre tabindex="0">${JSON.stringify(body, null, 2)}</pre></details>`;
  const name = `note note-${kind}${quiet === true ? ' quiet' : ''}`;
  return html`<li class="${name}" data-test="note-${title}">${inside}</li>`;
}

/** The whole panel. */
export function panel(
  notes: readonly Numbered[],
  registration: Registration | string,
): Html {
  return html`<aside class="panel" dir="ltr" aria-label="Behind the counter">
<details class="counter" id="counter"><summary><strong>Behind the counter</strong>
<span class="dot" id="dot" aria-hidden="true"></span></summary>
<p>The calls of this shop's server to Holdfast and the signed events it receives. Yours would do
the same. Open a row to see what was sent.</p>
<label class="switch"><input type="checkbox" id="quiet"> Show reads too</label>
<ol class="notes" id="notes" data-last="${notes[0]?.number ?? 0}">${notes.map(noteHtml)}</ol>
${settings(registration)}
</details></aside>`;
}

function settings(registration: Registration | string): Html {
  if (typeof registration === 'string') {
    return html`<p class="settings">Events are not registered yet: ${registration}</p>`;
  }
  const { endpoint, settings: known } = registration;
  const lists: readonly [string, readonly string[]][] = [
    ['Sites that may embed the widget', known.registered_origins],
    ['Return addresses', known.return_addresses],
  ];
  return html`<details class="settings"><summary>How this shop is registered</summary>
<dl><dt>Events go to</dt>
<dd><code>${endpoint}</code><br>registered with <code>createWebhookEndpoint</code></dd>
${lists.map(
  ([name, list]) => html`<dt>${name}</dt>
<dd>${list.length === 0 ? 'any page on this computer, because none is registered' : list.join(', ')}
<br>set with <code>changeSettings</code></dd>`,
)}</dl></details>`;
}
