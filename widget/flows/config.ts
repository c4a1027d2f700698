// Checks a caller's options. The loader checks them before anything is drawn, and the frame again,
// since the page above need not have used our loader.
import type { Direction, FlowConfig, Theme } from '../protocol.ts';

/** What is wrong with a caller's options: a code and a sentence for the page's developer. */
export class OptionError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

type Values = Readonly<Record<string, unknown>>;
/** Returns the value as flows use it, or throws; `name` appears in the sentence. */
type Check = (value: unknown, name: string) => unknown;

const FALSE_FRIENDS = /^(?:javascript|data|blob|file|vbscript|about):/i;

function fail(name: string, what: string): never {
  throw new OptionError('INVALID_CONFIG', `${name} must be ${what}.`);
}

/** A plain object, or a failure; nothing given is an empty one. */
function valuesOf(value: unknown, name: string): Values {
  if (value == null) return {};
  if (typeof value !== 'object' || value instanceof Array) fail(name, 'an object');
  return value as Values;
}

const flag: Check = (value, name) =>
  typeof value === 'boolean' ? value : fail(name, 'true or false');

const label: Check = (value, name) =>
  typeof value === 'string' && value.length <= 200 ? value : fail(name, 'a short text');

const amount: Check = (value, name) => {
  const good = typeof value === 'number' || /^[0-9]{1,16}$/.test(value as string);
  const number = good && typeof value !== 'object' ? Number(value) : 0;
  if (number > 0 && number <= Number.MAX_SAFE_INTEGER && number % 1 === 0) return number;
  return fail(name, 'a whole number of minor units above zero');
};

const currency: Check = (value, name) =>
  typeof value === 'string' && /^[A-Z][A-Z0-9]{2,9}$/.test(value)
    ? value
    : fail(name, 'a currency code such as USD');

const address: Check = (value, name) => {
  const good = typeof value === 'string' && /^[a-z][a-z0-9+.-]*:\/\/[^\s]+$/i.test(value);
  return good && !FALSE_FRIENDS.test(value) ? value : fail(name, 'an absolute address');
};

function oneOf(...values: readonly unknown[]): Check {
  return (value, name) =>
    values.indexOf(value) >= 0 ? value : fail(name, `one of ${values.join(', ')}`);
}

/** An object with these members; unknown ones are ignored. */
function record(members: Readonly<Record<string, Check>>, needed = false): Check {
  return (value, name) => {
    const given = valuesOf(value, name);
    const checked: Record<string, unknown> = {};
    for (const member of Object.keys(members)) {
      const full = `${name}.${member}`;
      if (given[member] === undefined) {
        if (needed) fail(full, 'given');
        continue;
      }
      checked[member] = (members[member] as Check)(given[member], full);
    }
    return checked;
  };
}

/** [seed: Widget script] [public-facts 4.3] */
const CONFIG = record({
  hideExitButtons: flag,
  hideUserWallets: flag,
  hideSKUs: flag,
  showInvoiceReferenceInfo: flag,
  hideWalletBalance: flag,
  hideMergedAccountSelector: flag,
  selectButton: record({ label }),
  section: record({ label: (value, name) => (value === null ? null : label(value, name)) }),
  postOAuthURLOverride: address,
  transactionDetails: record({ transaction_amount: amount, currency }, true),
  verificationLevel: oneOf('basic_pii'),
  currency,
  fixedAmount: amount,
  txnHistoryTabIndex: oneOf(0, 1),
  transactionId: label,
});

/** Checks flowConfig. Amounts become numbers. Throws OptionError INVALID_CONFIG. */
export function checkConfig(value: unknown): FlowConfig {
  return CONFIG(value, 'flowConfig') as FlowConfig;
}

const colour: Check = (value, name) => {
  if (typeof value === 'string' && /^#(?:[0-9a-f]{3}){1,2}$/i.test(value)) return value;
  throw new OptionError('INVALID_THEME', `${name} must be a colour such as #0a7 or #00aa77.`);
};

/** Checks theme. Throws OptionError INVALID_THEME, or INVALID_CONFIG for a non-object. */
export function checkTheme(value: unknown): Theme {
  return record({ backgroundColor: colour, primaryColor: colour })(value, 'theme') as Theme;
}

/** Checks dir; nothing given is null. */
export function checkDirection(value: unknown): Direction | null {
  return value == null ? null : (oneOf('ltr', 'rtl')(value, 'dir') as Direction);
}
