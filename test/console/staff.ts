// The people of an installation, who sign in for the first time: each chooses a password of their
// own, and uses each code of their authenticator once.
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { codeAt } from '../../src/product/access/operator/index.ts';
import { Browser, type Access } from './kit.ts';

const STEP_SECONDS = 30;

interface Person {
  readonly access: Access;
  browser: Browser | null;
  password: string;
  /** The last step whose code was used. */
  used: number;
}

export class Staff {
  readonly #console: string;
  readonly #people = new Map<string, Person>();

  constructor(console: string) {
    this.#console = console;
  }

  /** Takes what `holdfast operator create` printed. */
  hired(printed: string): void {
    const of = (name: string): string =>
      new RegExp(`^${name} +(\\S+)$`, 'm').exec(printed)?.[1] ?? '';
    const [username, password] = [of('username'), of('password')];
    const access = { username, password, totp_secret: of('totp_secret') };
    this.#people.set(username, { access, browser: null, password, used: 0 });
  }

  #person(username: string): Person {
    const person = this.#people.get(username);
    assert.ok(person, `${username} was not hired`);
    return person;
  }

  passwordOf(username: string): string {
    return this.#person(username).password;
  }

  /** A code that was not used yet, of now or of the next step; waits for one as a person does. */
  async code(username: string): Promise<string> {
    const person = this.#person(username);
    const step = (): number => Math.floor(Date.now() / 1_000 / STEP_SECONDS);
    while (person.used > step()) await pause(100);
    person.used = Math.max(step(), person.used + 1);
    return codeAt(person.access.totp_secret, person.used * STEP_SECONDS);
  }

  /** The code of so many steps from now, which may have been used. */
  codeIn(steps: number, username: string): string {
    const at = Date.now() / 1_000 + steps * STEP_SECONDS;
    return codeAt(this.#person(username).access.totp_secret, at);
  }

  /** Their browser at the console, signed in. */
  async at(username: string): Promise<Browser> {
    const person = this.#person(username);
    if (person.browser !== null) return person.browser;
    const browser = new Browser(this.#console);
    const code = await this.code(username);
    const { password } = person;
    const answer = await browser.trySignIn({ username, password, code, next: '/' });
    assert.equal(answer.status, 303, answer.text);
    const chosen = `a sentence that ${username} chose`;
    const fields = { current: password, chosen, again: chosen };
    assert.equal((await browser.post('/password', fields)).status, 303);
    person.password = chosen;
    person.browser = browser;
    return browser;
  }
}
