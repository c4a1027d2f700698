// Where a flow runs: in a frame of another page, or on a page of its own. Decides which messages
// from above to accept, what to report, and where a person goes at the end. The messages are in
// protocol.ts.
import { isStart, type CompleteResult, type ErrorResult } from '../protocol.ts';
import type { FrameMessage, StartMessage } from '../protocol.ts';
import type { Boot } from './flow.ts';

/** Receives the flow's progress. */
export interface Surroundings {
  ready(): void;
  error(error: ErrorResult): void;
  /** True if the person is redirected, so that nothing is left to draw. */
  complete(result: CompleteResult): boolean;
}

/** True for an origin of the list; `http://localhost:*` stands for every port. */
export function isAllowedOrigin(origin: string, allowed: readonly string[]): boolean {
  return allowed.some((entry) =>
    entry.endsWith(':*')
      ? origin.startsWith(entry.slice(0, -1)) || origin === entry.slice(0, -2)
      : origin === entry,
  );
}

/** Waits for the start message of the page above; messages of anyone else are ignored. */
export function awaitStart(boot: Boot): Promise<{ start: StartMessage; port: MessagePort }> {
  return new Promise((resolve) => {
    const hear = ({ source, origin, data, ports }: MessageEvent): void => {
      const [port] = ports;
      if (source !== window.parent || port === undefined || !isStart(data)) return;
      if (!isAllowedOrigin(origin, boot.frame_origins)) return;
      window.removeEventListener('message', hear);
      resolve({ start: data, port });
    };
    window.addEventListener('message', hear);
  });
}

/** The page above, by its port; gets the height of `root` from now on. */
export function pageAbove(port: MessagePort, root: HTMLElement): Surroundings {
  const say = (message: FrameMessage): void => port.postMessage(message);
  let told = 0;
  const measure = (): void => {
    const height = Math.ceil(root.getBoundingClientRect().height);
    if (height !== told) say({ type: 'resize', height });
    told = height;
  };
  new ResizeObserver(measure).observe(root);
  // What the frame is called for whoever hears the page.
  const entitle = (): void => say({ type: 'title', title: document.title });
  new MutationObserver(entitle).observe(document.head, { childList: true, subtree: true });
  entitle();
  // Also a sign of life, before anything is visible.
  measure();
  return {
    ready: () => say({ type: 'ready' }),
    error: (error) => say({ type: 'error', error }),
    complete: (result) => {
      // This removes the frame: a moment later, so that the click which led here has ended. Test
      // programs that click wait for its end, and would wait in vain.
      setTimeout(() => say({ type: 'complete', result }), 50);
      return true;
    },
  };
}

/** A page of its own: a native app may listen, and the person may have to return elsewhere. */
export function wholePage(boot: Boot): Surroundings {
  return {
    ready: () => {},
    error: (error) => tellApp(boot.word, error),
    complete: (result) => {
      tellApp(boot.word, result);
      if (boot.return_url === null) return false;
      location.replace(returnAddress(boot.return_url, result));
      return true;
    },
  };
}

/** The URL with the plain fields of a result; lists of methods and amounts are left out. [G-77] */
export function returnAddress(address: string, result: CompleteResult): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(result)) {
    if (typeof value !== 'object') url.searchParams.set(name, String(value));
  }
  return url.href;
}

interface AppChannel {
  postMessage?(message: string): void;
}

/** Native apps show a page in a web view and listen under the service's name. */
function tellApp(word: string, result: CompleteResult | ErrorResult): void {
  const name = word.charAt(0).toUpperCase() + word.slice(1);
  const views = window as unknown as {
    webkit?: { messageHandlers?: Record<string, AppChannel | undefined> };
  } & Record<string, AppChannel | undefined>;
  for (const app of [views.webkit?.messageHandlers?.[name], views[`${name}Native`]]) {
    try {
      app?.postMessage?.(JSON.stringify(result));
    } catch {
      // An error in the app must not stop the flow.
    }
  }
}
