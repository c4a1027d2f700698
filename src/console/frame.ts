// The frame around every console page (navigation, tenant, operator, last result) and the bare
// frame of sign-in. It works by keyboard, on a phone, in dark mode and on paper.
import {
  csrfTokenOf,
  hasRight,
  type OperatorSession,
  type Right,
} from '../product/access/operator/index.ts';
import { html, pageText, type Html, type Shown } from '../markup/html.ts';
import { LOCAL_TIME_NAME, STYLE_NAME } from './assets.ts';

/** A tenant that can be chosen. */
export interface Tenant {
  readonly workspace: number;
  readonly name: string;
  readonly integrator: string;
}

/** What the frame shows around a page. */
export interface FrameView {
  readonly session: OperatorSession;
  readonly env: 'staging' | 'production';
  readonly tenants: readonly Tenant[];
  /** The chosen tenant; null for none. */
  readonly tenant: Tenant | null;
}

/** One page. */
export interface PageView {
  readonly title: string;
  /** Path of its navigation entry. */
  readonly active: string;
  readonly body: Html;
}

const ENTRIES: readonly (Record<'path' | 'name', string> & { readonly right: Right })[] = [
  { path: '/', name: 'Overview', right: 'read' },
  { path: '/lists', name: 'Lists', right: 'read' },
  { path: '/reviews', name: 'Reviews', right: 'review' },
  { path: '/businesses', name: 'Businesses', right: 'review' },
  { path: '/money', name: 'Money work', right: 'read' },
  { path: '/transfers', name: 'Bank transfers', right: 'read' },
  { path: '/payout-files', name: 'Payout files', right: 'read' },
  { path: '/disputes', name: 'Disputes', right: 'read' },
  { path: '/books', name: 'Books', right: 'read' },
  { path: '/webhooks', name: 'Webhooks', right: 'read' },
  { path: '/developers', name: 'Developers', right: 'develop' },
  { path: '/operators', name: 'Operators', right: 'administer' },
];

/** The one search, which any page has. */
const FIND = html`<label class="unseen" for="find">Find</label>
<input id="find" name="q" maxlength="128" placeholder="Find an id, an amount, a date"
 autocomplete="off" autocapitalize="none" spellcheck="false"><button class="quiet">Find</button>`;

/** The whole page as HTML. */
export function page(view: FrameView, { title, active, body }: PageView): string {
  const { session } = view;
  const entries = ENTRIES.filter(({ right }) => hasRight(session, right));
  return documentOf(
    title,
    html`<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<a class="brand" href="/">Holdfast</a><span class="env env-${view.env}">${view.env}</span>
${tenantForm(view)}
<div class="find" role="search">${postForm(session, '/find', FIND)}</div>
<div class="who"><a href="/sessions">${session.name}</a>
${postForm(session, '/sign-out', html`<button class="quiet">Sign out</button>`)}</div>
</header>
<div class="below">
<nav class="side" aria-label="Console"><ul>${entries.map(
      ({ path, name }) => html`<li><a href="${path}"${
        path === active ? html` aria-current="page"` : null
      }>${name}</a></li>
`,
    )}</ul></nav>
<main id="main" tabindex="-1">
${flashOf(session)}<h1>${title}</h1>
${body}
<p class="zone faint" hidden>Times are in <span>UTC</span>.
<button type="button" class="quiet">Show UTC</button></p>
</main></div>`,
    html`
<script src="/assets/${LOCAL_TIME_NAME}" defer></script>`,
  );
}

/** A page before sign-in: no navigation, no name. */
export function barePage(
  { env }: Pick<FrameView, 'env'>,
  title: string,
  body: Html,
): string {
  return documentOf(
    title,
    html`<main id="main" class="bare"><p class="brand">Holdfast
<span class="env env-${env}">${env}</span></p>
<h1>${title}</h1>
${body}</main>`,
  );
}

/** A form that changes something; it carries the session's token. `type`: of one with a file. */
export function postForm(
  session: OperatorSession,
  action: string,
  body: Shown,
  type = 'application/x-www-form-urlencoded',
): Html {
  const enctype = type.startsWith('multipart') ? html` enctype="${type}"` : null;
  return html`<form method="post" action="${action}"${enctype}>
<input type="hidden" name="csrf" value="${csrfTokenOf(session)}">
${body}</form>`;
}

/** A labelled one-line field. */
export function field(
  label: string,
  name: string,
  more: {
    readonly type?: string;
    readonly value?: string;
    readonly autocomplete?: string;
    readonly optional?: true;
  } = {},
  hint: string | null = null,
): Html {
  const { type = 'text', value = '', autocomplete = 'off' } = more;
  return html`<p class="field"><label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" value="${value}"${
   more.optional !== true && html` required`
 }
 autocomplete="${autocomplete}" autocapitalize="none" spellcheck="false"${
   hint === null ? null : html` aria-describedby="${name}-hint"`
 }>${hint === null ? null : html`<span class="hint" id="${name}-hint">${hint}</span>`}</p>
`;
}

/** A labelled list to choose from; `marks` are attributes of it, `after` what stands behind it. */
export function choice(
  label: string,
  name: string,
  options: readonly (readonly [value: string, words: string])[],
  more: { readonly chosen?: string | undefined } & Partial<Record<'marks' | 'after', Shown>> = {},
): Html {
  return html`<p class="field"><label for="${name}">${label}</label>
<select id="${name}" name="${name}"${more.marks}>${options.map(
    ([value, words]) => html`<option value="${value}"${
      value === more.chosen && html` selected`
    }>${words}</option>
`,
  )}</select>${more.after}</p>
`;
}

/** The two words of a second person, and the button that says one of them. */
export function secondFields(confirm: Shown, reject: Shown): Html {
  return html`<fieldset><legend>Your decision</legend>
<label><input type="radio" name="word" value="confirm" required>${confirm}</label>
<label><input type="radio" name="word" value="reject" required>${reject}</label>
</fieldset><p><button>Submit</button></p>`;
}

/** A message about success or failure, announced to screen readers. */
export function notice(kind: 'good' | 'bad', text: string): Html {
  const role = kind === 'bad' ? 'alert' : 'status';
  return html`<p class="notice notice-${kind}" role="${role}">${text}</p>
`;
}

function flashOf({ flash }: OperatorSession): Html | null {
  return flash === null ? null : notice(flash.kind, flash.text);
}

function tenantForm({ session, tenants, tenant }: FrameView): Html {
  if (tenant === null) return html`<span class="tenant faint">No tenant</span>`;
  if (tenants.length === 1) return html`<span class="tenant">${tenant.name}</span>`;
  const options = tenants.map(
    ({ workspace, name }) => html`<option value="${workspace}"${
      workspace === tenant.workspace ? html` selected` : null
    }>${name}</option>
`,
  );
  return html`<div class="tenant">${postForm(
    session,
    '/tenant',
    html`<label class="unseen" for="tenant">Tenant</label>
<select id="tenant" name="workspace">${options}</select><button class="quiet">Switch</button>`,
  )}</div>`;
}

function documentOf(title: string, body: Html, script: Html | null = null): string {
  const head = html`<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="/assets/${STYLE_NAME}">${script}`;
  return pageText({ title: `${title} · Holdfast console`, head, body });
}
