// Where a flow stands: in a frame of another page, or on a page of its own. Answers for who above
// is believed, for what is said to them, and for where a person is sent at the end. protocol.ts
// tells the messages; refuses to know screens.
import { isStart, type CompleteResult, type ErrorResult } from '../protocol.ts';
import type { FrameMessage, StartMessage } from '../protocol.ts';
import type { Boot } from './flow.ts';

/** Whoever learns how the flow goes. */
export interface Surroundings {
  ready(): void;
  error(error: ErrorResult): void;
  /** True when the person is taken elsewhere, so that nothing is left to draw. */
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

/** Waits for the page above to say what to do; whoever else speaks is not heard. */
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

/** The page above, by its port; learns the height of `root` from now on. */
export function pageAbove(port: MessagePort, root: HTMLElement): Surroundings {
  const say = (message: FrameMessage): void => port.postMessage(message);
  let told = 0;
  const measure = (): void => {
    const height = Math.ceil(root.getBoundingClientRect().height);
    if (height !== told) say({ type: 'resize', height });
    told = height;
  };
  new ResizeObserver(measure).observe(root);
  // Also a sign of life, before anything can be seen.
  measure();
  return {
    ready: () => say({ type: 'ready' }),
    error: (error) => say({ type: 'error', error }),
    complete: (result) => {
      // The frame is taken away by this: a moment later, so that the click which led here has ended.
      // Programs that click for tests wait for that end, and would wait in vain.
      setTimeout(() => say({ type: 'complete', result }), 50);
      return true;
    },
  };
}

/** A page of its own: a native app may listen, and the person may be wanted back elsewhere. */
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

/** The address with the plain fields of a result; lists of methods and amounts stay out. [G-77] */
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

/** Native apps show a page in a web view and listen under the service's word. */
function tellApp(word: string, result: CompleteResult | ErrorResult): void {
  const name = word.charAt(0).toUpperCase() + word.slice(1);
  const views = window as unknown as {
    webkit?: { messageHandlers?: Record<string, AppChannel | undefined> };
  } & Record<string, AppChannel | undefined>;
  for (const app of [views.webkit?.messageHandlers?.[name], views[`${name}Native`]]) {
    try {
      app?.postMessage?.(JSON.stringify(result));
    } catch {
      // The app's trouble must not become the person's.
    }
  }
}
