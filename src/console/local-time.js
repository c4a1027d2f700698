// Shows the moments of a page in the browser's own time zone, with UTC in the title, and lets the
// reader go back to UTC for all of them. Without it every moment stays in UTC, as it was sent.
(() => {
  const KEY = 'holdfast-times';
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const note = document.querySelector('.zone');
  const button = note?.querySelector('button');
    const moments = [...document.querySelectorAll('time[datetime*="T"]')].map((element) => {
    return { element, utc: element.textContent, at: new Date(element.getAttribute('datetime')) };
  });
  if (!note || !button || timeZone === 'UTC' || moments.length === 0) return;
  const format = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone, year: 'numeric', month: '2-digit', day: '2-digit', timeZoneName: 'short' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
  });
  const localOf = (at) => {
    const parts = Object.fromEntries(format.formatToParts(at).map((one) => [one.type, one.value]));
    const { year, month, day, hour, minute, second, timeZoneName } = parts;
    return `${year}-${month}-${day} ${hour}:${minute}:${second} ${timeZoneName}`;
  };
  const show = (inUtc) => {
    for (const { element, utc, at } of moments) {
      const local = localOf(at);
      element.textContent = inUtc ? utc : local;
      element.title = inUtc ? local : utc;
    }
    note.firstElementChild.textContent = inUtc ? 'UTC' : timeZone;
    button.textContent = inUtc ? `Show ${timeZone}` : 'Show UTC';
    button.onclick = () => {
      localStorage.setItem(KEY, inUtc ? 'local' : 'utc');
      show(!inUtc);
    };
  };
  show(localStorage.getItem(KEY) === 'utc');
  note.hidden = false;
})();
