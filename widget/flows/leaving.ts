// Browser logins: a person leaves for another origin and comes back to this page's address with
// `entry_id`. Answers for both ways there and back; refuses to know who the other side is.

const BACK = 'holdfast-returned';
const ENTRY = 'entry_id';
const LOOK_EVERY_MS = 500;

/** Our own address, where a browser login may return. */
export function ownAddress(): string {
  const url = new URL(location.href);
  url.searchParams.delete(ENTRY);
  url.hash = '';
  return url.href;
}

/** The entry that this page has just come back with; '' for none. */
export function returnedEntry(): string {
  return new URLSearchParams(location.search).get(ENTRY) ?? '';
}

/** In a window that a frame of ours opened: tells it that the person is back, and closes. */
export function returnToOpener(): boolean {
  if (returnedEntry() === '' || window.opener === null) return false;
  (window.opener as Window).postMessage(BACK, location.origin);
  window.close();
  return true;
}

/** Opens a window for the login; resolves when the person is back, done or not. */
export function leaveInWindow(url: string): Promise<void> {
  const opened = window.open(url, '_blank');
  return new Promise((resolve) => {
    const back = (): void => {
      window.removeEventListener('message', hear);
      document.removeEventListener('visibilitychange', seen);
      clearInterval(looking);
      resolve();
    };
    const hear = (event: MessageEvent): void => {
      if (event.origin === location.origin && event.data === BACK) back();
    };
    const seen = (): void => {
      if (document.visibilityState === 'visible') back();
    };
    const looking = setInterval(() => {
      if (opened !== null && opened.closed) back();
    }, LOOK_EVERY_MS);
    window.addEventListener('message', hear);
    // An app's browser gives no window to look at: the person is back when this page is seen again.
    if (opened === null) document.addEventListener('visibilitychange', seen);
  });
}
