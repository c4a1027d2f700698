// Signing in to the console and out of it, as a person does.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startPlatform, type Platform } from '../kit/platform.ts';
import { Browser, type Access } from './kit.ts';

let platform: Platform;
let base: string;
let access: Access;
before(async () => {
  platform = await startPlatform();
  const ready = platform.ready as unknown as { console: Access };
  base = platform.ready.urls.console;
  access = ready.console;
});
after(() => platform.stop());

test('a person signs in with what the start printed, and is led to where they wanted to go', async () => {
  const browser = new Browser(base);
  const asked = await browser.get('/operators?x=1');
  assert.equal(asked.status, 303);
  assert.equal(asked.location, '/sign-in?next=%2Foperators%3Fx%3D1');
  const form = await browser.get(asked.location);
  assert.equal(form.status, 200);
  assert.match(form.text, /name="next" value="\/operators\?x=1"/);
  const signed = await browser.signIn(access, 0, '/operators?x=1');
  assert.equal(signed.status, 303, signed.text);
  assert.equal(signed.location, '/operators?x=1');
  const page = await browser.get('/operators');
  assert.equal(page.status, 200, page.text);
  assert.match(page.text, /Olivia Operator/);
});
