// What a person sees when the server is ready [G-01]. It lays out whatever the ready record holds,
// so that a new host or account needs no change here.
import { firstCall } from './first-call.ts';
import { paintOf } from './terminal.ts';

const LABEL_WIDTH = 37;
const FIRST_SALE = 'Your first sale: paste this into another terminal';

/** The text for stdout; colours only if the terminal shows them. */
export function banner(ready: Readonly<Record<string, unknown>>, colours: boolean): string {
  const { bold, dim } = paintOf(colours);
  const { ready: _, env, ...rest } = ready;
  const lines = ['', bold(`Holdfast is ready (${String(env ?? 'staging')})`)];
  const single: string[] = [];
  for (const [name, value] of Object.entries(rest)) {
    if (isRecord(value)) lines.push('', bold(name), ...section(value, '  ', dim));
    else if (value !== null && value !== undefined) single.push(row(name, String(value), '', dim));
  }
  if (single.length > 0) lines.splice(2, 0, '', ...single);
  const shop = env === 'staging' && isRecord(rest['urls']) ? rest['urls']['shop'] : undefined;
  if (shop !== undefined) lines.splice(2, 0, '', `Open the demo shop: ${bold(String(shop))}`);
  const api = isRecord(rest['urls']) ? rest['urls']['invoicing'] : undefined;
  if (api !== undefined) lines.splice(2, 0, '', `Read the documentation: ${bold(`${api}/docs/`)}`);
  const call = firstCall(ready);
  if (call !== null) lines.push('', bold(FIRST_SALE), call);
  lines.push(...signInHint(ready, dim), '', dim('Press Ctrl-C to stop.'), '');
  return `${lines.join('\n')}\n`;
}

function signInHint(
  { urls, console: access }: Readonly<Record<string, unknown>>,
  dim: (text: string) => string,
): string[] {
  if (!isRecord(access) || !isRecord(urls)) return [];
  const code = `npx holdfast operator code ${String(access['totp_secret'])}`;
  return [
    '',
    row('Console', String(urls['console']), '', dim),
    row('Get a sign-in code', code, '', dim),
  ];
}

function section(
  values: Readonly<Record<string, unknown>>,
  indent: string,
  dim: (text: string) => string,
): string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    if (isRecord(value)) return [`${indent}${name}`, ...section(value, `${indent}  `, dim)];
    return [row(name, value === null ? '-' : String(value), indent, dim)];
  });
}

function row(name: string, value: string, indent: string, dim: (text: string) => string): string {
  const gap = Math.max(2, LABEL_WIDTH - indent.length - name.length);
  return `${indent}${dim(name)}${' '.repeat(gap)}${value}`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
