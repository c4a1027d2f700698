// Script of the simulated bank's page: sends the buyer's decision, shows it, and tells the framing
// page that nothing is left to do here. No message contains the decision: the merchant retrieves
// it.
import { openFrame, post } from './frame.js';

const main = document.querySelector('main');
const tell = openFrame(main);
const form = document.querySelector('#form');
const error = document.querySelector('#form-error');

const HEADINGS = { confirm: 'Confirmed', refuse: 'Refused' };

function end(heading) {
  const notice = document.createElement('div');
  notice.className = 'notice';
  notice.setAttribute('role', 'status');
  notice.dataset.test = 'challenge-done';
  const [title, sentence] = [document.createElement('h1'), document.createElement('p')];
  title.textContent = heading;
  sentence.textContent = 'You can close this page.';
  notice.append(title, ...(window.parent === window ? [sentence] : []));
  main.replaceChildren(notice);
  tell('complete');
}

async function decide(decision) {
  if (form.ariaBusy === 'true') return;
  form.ariaBusy = 'true';
  error.textContent = '';
  try {
    const answer = await post(main.dataset.post, { decision });
    if (answer.ok) return end(HEADINGS[answer.body.decision]);
    error.textContent = answer.body.message[0];
    // Nothing is left to decide.
    if (answer.body.codes[0] === 'CHALLENGE_OVER') tell('complete');
  } catch {
    error.textContent = 'No response. Check your connection and try again.';
  }
  form.ariaBusy = 'false';
  error.focus();
}

form?.addEventListener('submit', (event) => {
  event.preventDefault();
  void decide(event.submitter?.value ?? 'refuse');
});
if (main.dataset.state === 'over') tell('complete');
