// Whatever a text holds, the tag makes no markup of it, and every page that the server sends is
// made with the tag.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { troublePage } from '../http/trouble.ts';
import { renderPage } from '../pages/flow-page.ts';
import { html, markup, pageText } from './html.ts';

const ATTACK = `"'><script>alert(1)</script><img src=x onerror=alert(1)>&`;
const HARMLESS =
  '&quot;&#39;&gt;&lt;script&gt;alert(1)&lt;/script&gt;' +
  '&lt;img src=x onerror=alert(1)&gt;&amp;';

test('a text stays a text, between tags, in attributes and in lists', () => {
  assert.equal(markup(html`<b>${ATTACK}</b>`), `<b>${HARMLESS}</b>`);
  assert.equal(markup(html`<b title="${ATTACK}"></b>`), `<b title="${HARMLESS}"></b>`);
  assert.equal(markup(html`${[ATTACK, [ATTACK]]}`), HARMLESS + HARMLESS);
});

test('only the tag makes markup: what looks like its result is refused or escaped', () => {
  const likeness = JSON.parse('{"text":"<b>","made":"<b>"}') as string;
  assert.throws(() => html`${likeness}`);
  assert.equal(markup(html`${[html`<b></b>`, null, undefined, false, 0, 5n]}`), '<b></b>05');
});

test('a value without quotes and an address that leads away are refused', () => {
  assert.throws(() => html`<a href=${'/x'}></a>`, /without quotes/);
  const away = ['javascript:alert(1)', 'https://evil.example', '//evil.example', '/\\evil', ''];
  for (const address of away) {
    assert.throws(() => html`<a href="${address}"></a>`, /leads away/);
    assert.throws(() => html`<form action="${address}"></form>`, /leads away/);
  }
  assert.equal(markup(html`<a href="${'/a?b=1&c=2'}"></a>`), '<a href="/a?b=1&amp;c=2"></a>');
});

test('the frame escapes its title, and every page has the same frame', () => {
  const page = pageText({ title: ATTACK, dir: 'rtl', head: html``, body: html`<p>${ATTACK}</p>` });
  assert.ok(page.includes(`<title>${HARMLESS}</title>`) && page.includes(`<p>${HARMLESS}</p>`));
  assert.ok(page.startsWith('<!doctype html>\n<html lang="en" dir="rtl">'));
  assert.doesNotMatch(page, /<script|<img/);
});

test('no page repeats an attack', () => {
  const look = { background_color: ATTACK, primary_color: ATTACK, logo: ATTACK };
  const flow = renderPage({
    boot: {
      ...{ word: ATTACK, env: 'staging', link: 'unused', handle: ATTACK, flow: ATTACK, look },
      ...{ flow_query: ATTACK, integrator_name: ATTACK, frame_origins: [ATTACK], dir: 'ltr' },
      ...{ dir_fixed: true, language: 'en', languages: [], failed: ATTACK, mails: ATTACK },
      home: null,
      contact: '',
      return_url: ATTACK,
    },
    ...{ title: ATTACK, preview: ATTACK, script: ATTACK, style: ATTACK },
    ...{ sentence: ATTACK, noScript: ATTACK },
  });
  assert.equal(flow.match(/<script/g)?.length, 1, 'its own script alone');
  for (const page of [flow, troublePage(ATTACK), troublePage('NOT_FOUND', ATTACK)]) {
    assert.doesNotMatch(page, /<script>|<img/);
  }
});
