// Messages from the processor's pages to the page that frames them: ready, height, and end. They
// hold no secret and go only to the origins that the page was made for.

/**
 * Gives the way to tell the framing page something.
 * @param {HTMLElement} main `data-parent` is the exact origin of the framing page, or several
 * with spaces between where it may be any of them.
 * @returns {(type: 'ready' | 'resize' | 'complete' | 'cancel') => void}
 */
export function openFrame(main) {
  // If the browser says who frames the page, no other origin is tried.
  const framing = location.ancestorOrigins?.[0];
  const named = (main.dataset.parent ?? '').split(' ').filter((origin) => origin !== '');
  const origins = named.filter((origin) => framing === undefined || framing === origin);
  const framed = origins.length > 0 && window.parent !== window;
  const tell = (type) => {
    if (!framed) return;
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    for (const origin of origins) {
      window.parent.postMessage({ holdfast_processor: 1, type, height }, origin);
    }
  };
  if (framed) new ResizeObserver(() => tell('resize')).observe(document.body);
  tell('ready');
  return tell;
}

/**
 * Gives the page's texts by their names; values go where braces are. What has no text is said in
 * general, '' is nothing.
 * @param {HTMLElement} main
 * @returns {(name: string, values?: Record<string, string | number>) => string}
 */
export function sayer(main) {
  const texts = JSON.parse(main.dataset.texts);
  return (name, values = {}) => {
    const text = name === '' ? '' : (texts[name] ?? texts.odd);
    return text.replace(/\{(\w+)\}/g, (_, value) => String(values[value]));
  };
}

/**
 * @typedef {{ codes: string[], message: string[], [field: string]: unknown }} Answer
 */

/**
 * Posts JSON to the processor's own origin. Rejects when no answer came. What is refused has codes
 * and sentences; of what is done each page knows the field that it asked for.
 * @param {string} path
 * @param {object} body
 * @returns {Promise<{ ok: boolean, body: Answer }>}
 */
export async function post(path, body) {
  const answer = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { ok: answer.ok, body: await answer.json() };
}
