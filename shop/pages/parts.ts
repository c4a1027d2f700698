// Parts shared by pages: the token of a form, the ways to pay, and the place of a flow with the ten
// lines that open it.
import { randomBytes } from 'node:crypto';
import { html, type Html } from '../html.ts';

const TOKEN = /^[0-9a-f]{16}$/;

/** A hidden field that makes the same form, sent twice, one action. */
export function tokenField(): Html {
  return html`<input type="hidden" name="token" value="${randomBytes(8).toString('hex')}">`;
}

/** The token of a form; null if it is none of ours. */
export function tokenOf(form: URLSearchParams): string | null {
  const token = form.get('token') ?? '';
  return TOKEN.test(token) ? token : null;
}

/** The three ways to pay. */
export function wayButtons(): Html {
  return html`<div class="ways">
<button name="way" value="here" class="primary" data-test="pay-here">Pay here</button>
<button name="way" value="away" data-test="pay-away">Pay on a hosted page</button>
<button name="way" value="choose" data-test="pay-choose">Choose how to pay first</button></div>`;
}

/** One flow in the page. */
export interface Stage {
  readonly flow: string;
  readonly redirect: string;
  readonly config: Readonly<Record<string, unknown>>;
  /** Our URL to which the page's script reports the result. */
  readonly report: string;
}

/** The place of a flow; shop.js calls execute there, as the lines beneath show. */
export function stage({ flow, redirect, config, report }: Stage): Html {
  const lines = [
    'Holdfast.execute({',
    "  rootId: 'holdfast',",
    `  flow: '${flow}',`,
    '  redirect: linkFromMyServer,',
    ...(Object.keys(config).length > 0 ? [`  flowConfig: ${JSON.stringify(config)},`] : []),
    "  onComplete: (result) => tellMyServer(result),",
    '  onError: (error) => console.error(error.code, error.message),',
    '});',
  ];
  return html`<section class="stage" aria-label="Holdfast">
<p class="loading" id="loading" role="status">Opening…</p>
<p class="trouble" id="trouble" role="alert" hidden></p>
<div id="holdfast" data-flow="${flow}" data-redirect="${redirect}" data-report="${report}"
 data-config="${JSON.stringify(config)}"></div>
<details class="code" dir="ltr"><summary>The code that opened this</summary>
<pre tabindex="0">${lines.join('\n')}</pre></details>
<noscript><p class="trouble">The widget needs JavaScript. Turn it on and load the page again.</p>
</noscript></section>`;
}
