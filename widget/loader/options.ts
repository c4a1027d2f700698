// Checks the options of `execute`; anything invalid is refused with a code and a sentence before
// anything is drawn.
import { checkConfig, checkDirection, checkTheme, OptionError } from '../flows/config.ts';
import { isFlowName, type FlowName, type StartMessage } from '../protocol.ts';

/** One call, checked. */
export interface Order {
  readonly root: HTMLElement;
  readonly url: string;
  readonly start: StartMessage;
}

type Options = Readonly<Record<string, unknown>>;

/** Checks the options of one call; `origin`: the script's own. Throws OptionError. */
export function readOptions(options: Options, origin: string): Order {
  const { flow, debug, onComplete, onError, onReady } = options;
  if (!isFlowName(flow)) {
    throw new OptionError('INVALID_FLOW', 'flow must be the name of a known flow.');
  }
  if (typeof onComplete !== 'function' || typeof onError !== 'function') {
    throw new OptionError('INVALID_CALLBACK', 'onComplete and onError must be functions.');
  }
  if (onReady != null && typeof onReady !== 'function') {
    throw new OptionError('INVALID_CALLBACK', 'onReady must be a function.');
  }
  const root = rootOf(options['rootId']);
  return { root, url: urlOf(options['redirect'], origin), start: startOf(flow, options, debug) };
}

function startOf(flow: FlowName, options: Options, debug: unknown): StartMessage {
  return {
    holdfast: 1,
    type: 'start',
    flow,
    flowConfig: checkConfig(options['flowConfig']),
    theme: checkTheme(options['theme']),
    dir: checkDirection(options['dir']),
    debug: debug === true,
  };
}

function rootOf(id: unknown): HTMLElement {
  const root = typeof id === 'string' ? document.getElementById(id) : null;
  if (root !== null) return root;
  throw new OptionError('INVALID_ROOT', 'rootId must be the id of an element on this page.');
}

/** The link's URL: it must have the script's origin, so that nothing foreign is framed. */
function urlOf(redirect: unknown, origin: string): string {
  const given = (redirect as { url?: unknown } | null | undefined)?.url ?? redirect;
  const url = typeof given === 'string' && URL.canParse(given) ? new URL(given) : null;
  if (url !== null && `${url.username}${url.password}` !== '') {
    const sentence = 'redirect must not contain a user name or password; pass the link unchanged.';
    throw new OptionError('INVALID_REDIRECT', sentence);
  }
  const web = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (url !== null && web && url.origin === origin) return url.href;
  const where = origin || 'of the widget';
  throw new OptionError('INVALID_REDIRECT', `redirect must be a link of the origin ${where}.`);
}
