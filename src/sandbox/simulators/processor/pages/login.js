// The login of the sandbox's wallet: the person approves or refuses and returns to the page that
// began the login.
import { post, sayer } from './frame.js';

const main = document.querySelector('main');
const say = sayer(main);
const form = document.querySelector('#form');
const error = document.querySelector('#form-error');

async function leave(path, body) {
  if (form.ariaBusy === 'true') return;
  form.ariaBusy = 'true';
  error.textContent = '';
  try {
    const answer = await post(path, body);
    if (answer.ok) return location.replace(main.dataset.return);
    error.textContent = say(answer.body.codes[0]);
  } catch {
    error.textContent = say('unreachable');
  }
  form.ariaBusy = 'false';
  error.focus();
}

form?.addEventListener('submit', (event) => {
  event.preventDefault();
  void leave(main.dataset.post, { login: new FormData(form).get('login') });
});
document.querySelector('#cancel')?.addEventListener('click', () => {
  void leave(`${main.dataset.post}/cancel`, {});
});
