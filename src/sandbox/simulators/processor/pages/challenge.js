// Script of the simulated bank's page: sends the buyer's decision, shows it, and tells the framing
// page that nothing is left to do here. No message contains the decision: the merchant retrieves
// it.
import { openFrame, post, sayer } from './frame.js';

const main = document.querySelector('main');
const tell = openFrame(main);
const say = sayer(main);
const form = document.querySelector('#form');
const error = document.querySelector('#form-error');

function end(heading) {
  const notice = document.createElement('div');
  notice.className = 'notice';
  notice.setAttribute('role', 'status');
  notice.dataset.test = 'challenge-done';
  const [title, sentence] = [document.createElement('h1'), document.createElement('p')];
  title.textContent = heading;
  sentence.textContent = say('close');
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
    if (answer.ok) return end(say(answer.body.decision));
    error.textContent = say(answer.body.codes[0]);
    // Nothing is left to decide.
    if (answer.body.codes[0] === 'CHALLENGE_OVER') tell('complete');
  } catch {
    error.textContent = say('unreachable');
  }
  form.ariaBusy = 'false';
  error.focus();
}

form?.addEventListener('submit', (event) => {
  event.preventDefault();
  void decide(event.submitter?.value ?? 'refuse');
});
if (main.dataset.state === 'over') tell('complete');
