// Browser logins: the person leaves for another origin and returns to this page's URL with
// `entry_id`, in the same window or in a new one.

const BACK = 'holdfast-returned';
const ENTRY = 'entry_id';
const LOOK_EVERY_MS = 500;

/** Our own URL, where a browser login may return. */
export function ownAddress(): string {
  const url = new URL(location.href);
  url.searchParams.delete(ENTRY);
  url.hash = '';
  return url.href;
}

/** The entry with which this page has just returned; '' for none. */
export function returnedEntry(): string {
  return new URLSearchParams(location.search).get(ENTRY) ?? '';
}

/** In a window opened by a frame of ours: tells the frame that the person is back, and closes. */
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
      // A page that cuts itself off from its opener looks closed, and is in front of this one.
      if (opened?.closed === true && document.visibilityState === 'visible') back();
    }, LOOK_EVERY_MS);
    window.addEventListener('message', hear);
    // An app's browser gives no window handle: the person is back when this page is visible again.
    if (opened === null) document.addEventListener('visibilitychange', seen);
  });
}
