// The frame of every page: shop name, current person and their money, switching to someone else,
// and the panel.
import { MARK } from './art.ts';
import type { Numbered } from './feed.ts';
import type { Registration } from './hooks.ts';
import { dollars, html, type Html } from './html.ts';
import { directionOf, languageSwitch } from './language.ts';
import type { People, Person } from './people.ts';
import { panel } from './panel.ts';

/** For whom and where a page is drawn. */
export interface Scene {
  readonly me: Person;
  readonly people: People;
  readonly notes: readonly Numbered[];
  /** Or the sentence why it is not there yet. */
  readonly registration: Registration | string;
  readonly path: string;
  /** Minor units that `me` can spend. */
  readonly wallet: number;
  /** The language of the platform's pages; '' leaves it to them. */
  readonly language: string;
  /** The notice after an action; '' for none. */
  readonly said: string;
}

/** The content of a page. */
export interface Content {
  readonly title: string;
  readonly body: Html;
  /** URL of the widget's script, if a flow is shown. */
  readonly script?: string;
}

const NOTICES: Readonly<Record<string, string>> = {
  done: 'Done. The widget passed the result to this page by onComplete; see the panel.',
  back: 'Welcome back: the payment page sent you to the return address of this shop.',
  left: 'Cancelled: you left before the end, so nothing changed.',
  broken: 'The embedded page failed. Try again.',
  shipped: 'Shipped: the held money was paid to you.',
  cancelled: 'Cancelled: the buyer has the money back.',
  settled: 'Done: the money moved as you see below.',
  sent: 'The bank approved: the payout was sent.',
  decided: 'The sandbox decided the identity check.',
};

/** The whole page. */
export function layout(scene: Scene, { title, body, script }: Content): Html {
  return html`<!doctype html>
<html lang="en" dir="${directionOf(scene.language)}">
<head>
<meta charset="utf-8">
<title>${title} · Kiln &amp; Thread</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/shop.css">
${script === undefined ? '' : html`<script src="${script}" defer></script>`}
<script src="/shop.js" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to the shop</a>
${header(scene)}
<div class="columns">
<main id="main" tabindex="-1">
${noticeOf(scene)}${body}
</main>
${panel(scene.notes, scene.registration)}
</div>
<footer><p>Kiln &amp; Thread is invented, and so is its money: this is the demo shop of a Holdfast
sandbox. It only uses the public API, from a server like yours.</p></footer>
</body>
</html>
`;
}

function noticeOf({ said }: Scene): Html | null {
  const notice = Object.hasOwn(NOTICES, said) ? NOTICES[said] : undefined;
  if (notice === undefined) return null;
  return html`<p class="notice" role="status" data-test="said-${said}">${notice}</p>`;
}

function header({ me, people, path, wallet, language }: Scene): Html {
  const all = people.fixed.includes(me) ? people.fixed : [...people.fixed, me];
  const pages: readonly [string, string][] = [
    ['/', 'Shop'],
    ['/orders', 'Orders'],
    ['/account', 'Account'],
    ['/mail', 'Mail'],
  ];
  return html`<header class="top">
<a class="brand" href="/">${MARK}<span>Kiln &amp; Thread</span></a>
<nav aria-label="Shop">${pages.map(
    ([to, name]) =>
      html`<a href="${to}"${to === path ? html` aria-current="page"` : ''}>${name}</a>`,
  )}</nav>
${languageSwitch(language, path)}
<p class="purse" data-test="wallet"><span>${me.name}’s wallet</span>
<strong>${dollars(wallet)}</strong></p>
</header>
<form class="who" method="post" action="/who" aria-label="Who are you?">
<span class="ask" aria-hidden="true">You are</span>
<input type="hidden" name="back" value="${path}">
${all.map(
    (person) => html`<button name="who" value="${person.account_id}" class="chip"
 data-test="be-${person.trade}" aria-pressed="${person === me ? 'true' : 'false'}">
<strong>${person.name}</strong> <span>${people.about(person)}</span></button>`,
  )}
<a class="chip new" href="/visitor" data-test="be-new"><strong>New visitor</strong>
<span>registers</span></a>
</form>`;
}

/** A button that switches to someone else and continues at a page. */
export function become(person: Person, to: string, label: string, test: string): Html {
  return html`<form method="post" action="/who"><input type="hidden" name="back" value="${to}">
<button name="who" value="${person.account_id}" class="quiet-button" data-test="${test}">
${label}</button></form>`;
}
