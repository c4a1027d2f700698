// The script in the shop's pages: opens the widget where a page has a place for it, reports the
// result to our server, shows notes as they come, and reloads a page's content when an event may
// have changed it.

/** Milliseconds in which several events cause one reload. */
const SETTLE_MS = 250;
/** Most notes in the list. */
const MOST_NOTES = 120;

/** The colours of the shop, as in shop.css. */
const LIGHT = { backgroundColor: '#fffdf9', primaryColor: '#9c3f22' };
const DARK = { backgroundColor: '#261f1a', primaryColor: '#eb9a76' };

openWidget();
follow();
fold();

/** The ten lines that every integrator writes. */
function openWidget() {
  const place = document.getElementById('holdfast');
  if (place === null) return;
  const { flow, redirect, config, report } = place.dataset;
  if (window.Holdfast === undefined) {
    trouble('The widget’s script did not load. Is Holdfast still running?');
    return;
  }
  window.Holdfast.execute({
    rootId: 'holdfast',
    flow,
    redirect,
    flowConfig: JSON.parse(config),
    theme: matchMedia('(prefers-color-scheme: dark)').matches ? DARK : LIGHT,
    onReady: () => hide('loading'),
    onComplete: (result) => tell(report, result),
    onError: (error) => trouble(error.message),
  });
}

/** Reports the widget's result to our server, which then reads for itself what is true. */
async function tell(report, result) {
  show('loading', 'One moment…');
  try {
    const response = await fetch(report, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(result),
    });
    const { next, trouble: sentence } = await response.json();
    if (sentence === undefined) location.assign(next);
    else trouble(sentence);
  } catch {
    trouble('The shop could not be reached. Load the page again.');
  }
}

function trouble(sentence) {
  hide('loading');
  show('trouble', sentence);
}

function show(id, text) {
  const element = document.getElementById(id);
  if (element === null) return;
  element.textContent = text;
  element.hidden = false;
}

function hide(id) {
  const element = document.getElementById(id);
  if (element !== null) element.hidden = true;
}

/** Shows notes as they come. */
function follow() {
  const notes = document.getElementById('notes');
  const source = new EventSource(`/feed?after=${notes.dataset.last}`);
  let waiting = null;
  source.onmessage = ({ data }) => {
    const { kind, html } = JSON.parse(data);
    notes.insertAdjacentHTML('afterbegin', html);
    notes.firstElementChild.classList.add('fresh');
    while (notes.children.length > MOST_NOTES) notes.lastElementChild.remove();
    if (kind !== 'event') return;
    clearTimeout(waiting);
    waiting = setTimeout(readAgain, SETTLE_MS);
  };
  const dot = document.getElementById('dot');
  source.onopen = () => dot.classList.add('on');
  source.onerror = () => dot.classList.remove('on');
  addEventListener('pagehide', () => source.close());
}

/** Replaces what may have changed from a fresh copy of the page. */
async function readAgain() {
  const live = document.querySelector('[data-live]');
  if (live === null) return;
  const response = await fetch(location.pathname, { headers: { accept: 'text/html' } });
  if (!response.ok) return;
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
  const focused = live.contains(document.activeElement) ? document.activeElement : null;
  const name = focused?.dataset.test;
  const purse = document.querySelector('.purse');
  purse.replaceWith(fresh.querySelector('.purse') ?? purse);
  live.replaceWith(fresh.querySelector(`[data-live="${live.dataset.live}"]`) ?? live);
  if (name !== undefined) document.querySelector(`[data-test="${name}"]`)?.focus();
}

/** The panel is open if there is room for it; reads are shown on request. */
function fold() {
  document.getElementById('counter').open = matchMedia('(min-width: 64rem)').matches;
  const quiet = document.getElementById('quiet');
  const notes = document.getElementById('notes');
  quiet.addEventListener('change', () => notes.classList.toggle('all', quiet.checked));
}
