// Entry point of our pages: reads what the server wrote into the page, finds out what page is
// above, and draws the shell.
import { render } from 'preact';
import { FRAME_WITHIN_MS, isFlowName, type FlowConfig, type FlowName, type Theme } from '../protocol.ts';
import { checkConfig, checkTheme } from './config.ts';
import type { Boot } from './flow.ts';
import { speak, startLanguage } from './language.ts';
import { returnToOpener } from './leaving.ts';
import { Door } from './session.ts';
import { LonelyScreen } from './shell-screens.tsx';
import { Shell, type ShellProps } from './shell.tsx';
import { awaitStart, pageAbove, wholePage } from './surroundings.ts';
import { applyTheme, paletteOf } from './theme.ts';

type Begin = Pick<ShellProps, 'surroundings' | 'flow' | 'config' | 'debug'>;

function theme(boot: Boot, own: Theme): void {
  const { background_color: background, primary_color: primary } = boot.look;
  applyTheme(paletteOf(own.backgroundColor ?? background, own.primaryColor ?? primary));
}

/** The checked value; a bad one counts as not given. */
function good<T>(check: (value: unknown) => T, value: unknown, otherwise: T): T {
  try {
    return check(value);
  } catch {
    return otherwise;
  }
}

/** Waits for the page above. Until its message comes the frame shows nothing of its own. */
async function beginInFrame(boot: Boot, root: HTMLElement): Promise<Begin> {
  root.textContent = '';
  const lonely = setTimeout(() => {
    document.documentElement.classList.add('drawn');
    render(<LonelyScreen />, root);
  }, FRAME_WITHIN_MS);
  const language = startLanguage(boot);
  const texts = speak(boot, language, flowOf(boot));
  const { start, port } = await awaitStart(boot);
  await texts;
  clearTimeout(lonely);
  render(null, root);
  theme(boot, good<Theme>(checkTheme, start.theme, {}));
  if (start.dir === 'ltr' || start.dir === 'rtl') {
    document.documentElement.dir = start.dir;
    boot.dir_fixed = true;
  }
  const config = good<FlowConfig>(checkConfig, start.flowConfig, {});
  const { flow, debug } = start;
  return { surroundings: pageAbove(port, root), flow, config, debug: debug === true };
}

/** The flow that the link or the page's address names. */
function flowOf({ flow, flow_query }: Boot): FlowName | null {
  const named = flow ?? flow_query;
  return isFlowName(named) ? named : null;
}

async function beginOnPage(boot: Boot, root: HTMLElement): Promise<Begin> {
  const flow = flowOf(boot);
  await speak(boot, startLanguage(boot), flow);
  root.textContent = '';
  // Which transaction to show; the platform decides whether the person may see it.
  const transactionId = new URLSearchParams(location.search).get('transaction_id');
  const wish = transactionId === null ? {} : { transactionId };
  const config = good<FlowConfig>(checkConfig, wish, {});
  return { surroundings: wholePage(boot), flow, config, debug: false };
}

async function main(): Promise<void> {
  if (returnToOpener()) return;
  const root = document.getElementById('app') as HTMLElement;
  const boot = JSON.parse(root.dataset['boot'] as string) as Boot;
  const page = window.parent === window;
  theme(boot, {});
  let begin: Begin;
  try {
    begin = await (page ? beginOnPage(boot, root) : beginInFrame(boot, root));
  } catch {
    root.textContent = boot.failed;
    return;
  }
  document.documentElement.classList.add('drawn', page ? 'whole' : 'framed');
  const door = new Door(location.pathname, boot.handle);
  render(<Shell boot={boot} door={door} page={page} {...begin} />, root);
}

void main();
