// Script of the page where a card or bank account is entered: groups digits, validates while one
// types, sends the input to the processor only, and shows the result. What is typed is never in a
// message, a URL or storage.
import { brandOf, codeLength, dateOf, digits, FIELDS } from './fields.js';
import { openFrame, post, sayer } from './frame.js';

const main = document.querySelector('main');
const tell = openFrame(main);
const say = sayer(main);
const form = /** @type {HTMLFormElement | null} */ (document.querySelector('#form'));
const byId = (id) => document.getElementById(id);
const valueOf = (id) => byId(id)?.value ?? '';

function show(id, sentence) {
  const input = byId(id);
  byId(`${id}-error`).textContent = sentence;
  if (sentence === '') input.removeAttribute('aria-invalid');
  else input.setAttribute('aria-invalid', 'true');
}

/** Shows what is wrong with a field; `left`: also if it is incomplete. True if all is well. */
function check(id, left) {
  const { whole, missing, fault } = FIELDS[id];
  const [value, number] = [valueOf(id), valueOf('number')];
  const done = whole(value, number);
  const name = done ? fault(value) : left ? missing(number, value) : '';
  show(id, say(name, { count: codeLength(number) }));
  return done && name === '';
}

/** Writes a field in its groups and keeps the caret after the same digit. */
function write(id, typing) {
  const input = byId(id);
  const before = digits(input.value.slice(0, input.selectionStart ?? 0)).length;
  const atEnd = (input.selectionStart ?? 0) === input.value.length;
  const text = FIELDS[id].write(input.value, typing);
  if (text !== input.value) {
    input.value = text;
    let at = 0;
    for (let seen = 0; seen < before && at < text.length; at += 1) {
      if (/[0-9]/.test(text[at])) seen += 1;
    }
    if (document.activeElement === input) {
      const caret = atEnd ? text.length : at;
      input.setSelectionRange(caret, caret);
    }
  }
  if (id === 'number') byId('brand').textContent = brandOf(digits(text))?.name ?? '';
}

const WHERE = {
  CARD_NOT_A_TEST_CARD: 'number',
  CARD_DATE_PAST: 'expiry',
  ACCOUNT_NOT_A_TEST_ACCOUNT: 'account',
};

function entered() {
  if (main.dataset.kind === 'bank') {
    return { routing_number: valueOf('routing'), account_number: valueOf('account') };
  }
  const { month, year } = dateOf(valueOf('expiry'));
  const number = digits(valueOf('number'));
  return { number, expiry_month: month, expiry_year: year, cvc: valueOf('cvc') };
}

function fail(name) {
  const id = WHERE[name];
  if (id === undefined) byId('form-error').textContent = say(name);
  else show(id, say(name));
  byId(id ?? 'form-error').focus();
}

/** Sends, one request at a time; returns the answer of a success. */
async function send(path, body) {
  if (form.ariaBusy === 'true') return null;
  form.ariaBusy = 'true';
  byId('form-error').textContent = '';
  try {
    const answer = await post(path, body);
    if (answer.ok) return answer.body;
    fail(answer.body.codes[0]);
  } catch {
    fail('unreachable');
  }
  form.ariaBusy = 'false';
  return null;
}

function end(heading, type) {
  const notice = document.createElement('div');
  notice.className = 'notice';
  notice.setAttribute('role', 'status');
  const title = document.createElement('h1');
  title.textContent = heading;
  notice.append(title);
  main.replaceChildren(notice);
  tell(type);
}

async function save(event) {
  event.preventDefault();
  const wrong = inputs.map(({ id }) => id).filter((id) => !check(id, true));
  if (wrong.length > 0) return byId(wrong[0]).focus();
  const done = await send(main.dataset.post, entered());
  if (done?.state === 'stored') end(say('stored', { digits: done.last4 }), 'complete');
}

async function cancel() {
  const done = await send(`${main.dataset.post}/cancel`, {});
  if (done === null) return;
  if (done.state === 'stored') end(say('stored', { digits: done.last4 }), 'complete');
  else end(say('cancelled'), 'cancel');
}

/** Fills the form with a test number and whatever else is needed. */
function fill(number) {
  const next = String(new Date().getFullYear() + 3).slice(2);
  const rest = { number, expiry: `12 / ${next}`, cvc: '1234'.slice(0, codeLength(number)), account: number };
  for (const { id, placeholder } of inputs) {
    byId(id).value = rest[id] ?? placeholder;
    write(id, false);
    check(id, true);
  }
  byId('save').focus();
}

const inputs = form === null ? [] : [...form.querySelectorAll('input')];
for (const input of inputs) {
  input.addEventListener('input', (event) => {
    write(input.id, event.inputType?.startsWith('delete') !== true);
    check(input.id, false);
  });
  input.addEventListener('blur', () => {
    // What the processor said of it stays until it is typed anew.
    if (input.value === '' || input.hasAttribute('aria-invalid')) return;
    write(input.id, false);
    check(input.id, true);
  });
}
// A field that loses the focus shows or drops its sentence, which would move the pressed button
// from under the pointer: so the focus stays until the click is done.
form?.parentElement.addEventListener('mousedown', (event) => {
  if (event.target.closest('button') !== null) event.preventDefault();
});
form?.addEventListener('submit', save);
byId('cancel')?.addEventListener('click', cancel);
for (const button of document.querySelectorAll('.hint')) {
  button.addEventListener('click', () => fill(button.dataset.fill));
}
if (main.dataset.state === 'stored') tell('complete');
if (main.dataset.state === 'cancelled') tell('cancel');
