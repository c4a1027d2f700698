// What the pages for developers share: the ways between them, boxes, and what is shown once.
import { html, type Html } from '../../markup/html.ts';
import type { Services } from '../../product/context.ts';
import { card } from '../blocks.ts';
import { notice } from '../frame.ts';

/** The navigation entry of these pages. */
export const active = '/developers';

const PAGES = [
  ['/developers', 'API clients'],
  ['/developers/settings', 'Addresses and look'],
  ['/developers/limits', 'Limits'],
  ['/developers/requests', 'Requests'],
  ['/webhooks', 'Webhooks'],
] as const;

const MAILS = ['/developers/mails', 'Mails'] as const;

/** Links to the pages for developers; a sandbox that captures mails has them too. */
export function ways(path: string, { mailbox }: Pick<Services, 'mailbox'>): Html {
  const pages = mailbox === null ? PAGES : [...PAGES, MAILS];
  return html`<nav class="row" aria-label="For developers">${pages.map(
    ([to, name]) => html`<a href="${to}"${to === path && html` aria-current="page"`}>${name}</a>
`,
  )}</nav>`;
}

/** A box that is ticked or not, with its name and, below, what it means. */
export function box(name: string, label: string, isOn: boolean, means = ''): Html {
  return html`<label><input type="checkbox" name="${name}" value="on"${isOn && html` checked`}>
<span>${label}${means !== '' && html`<span class="hint">${means}</span>`}</span></label>
`;
}

/** The names of the ticked boxes that begin so. */
export function ticked(form: Readonly<Record<string, string>>, start: string): string[] {
  const names = Object.keys(form).filter((name) => name.startsWith(start) && form[name] === 'on');
  return names.map((name) => name.slice(start.length));
}

/** A secret in the one answer that shows it; `path`: the page of what it belongs to. */
export function secretPage(
  title: string,
  at: string,
  path: string,
  shown: readonly (readonly [label: string, value: string])[],
  keep: string,
) {
  const body = html`${notice('good', 'Copy this now: it is not shown again.')}
${card(title, html`<dl>${shown.map(
    ([label, value]) => html`<dt>${label}</dt><dd><span class="code">${value}</span></dd>
`,
  )}</dl><p>${keep}</p>`)}
<p><a class="button" href="${path}">I have copied it</a></p>`;
  return { title, active: at, body };
}

/** The answer to a form that was sent before, and whose first answer showed a secret. */
export function sentBefore(at: string, path: string) {
  const body = html`${notice('bad', 'This form was sent already, and did nothing more.')}
<p>Its first answer showed the secret, which is not shown again. If nobody has it, make a new
one.</p>
<p><a href="${path}">Back</a></p>`;
  return { title: 'Sent already', active: at, body, status: 409 };
}
