// The content security policy of every page: nothing inline, nothing foreign, and framed only by
// whom the page is for.

const NONE = "'none'";
const SELF = "'self'";
const RULES = {
  'default-src': NONE,
  'script-src': SELF,
  'style-src': SELF,
  'connect-src': SELF,
  'img-src': "'self' data:",
  'form-action': SELF,
  'base-uri': NONE,
} as const;
/** A source of a policy; any other text could end the directive. */
const SOURCE = /^https?:\/\/[a-z0-9.-]+(?::(?:\d{1,5}|\*))?$/i;

/** Those of the origins that a policy can name, each once. */
export function frameSources(origins: readonly string[]): readonly string[] {
  return [...new Set(origins)].filter((origin) => SOURCE.test(origin));
}

/** The policy of a page; `more` replaces or adds rules. Without ancestors it is never framed. */
export function contentPolicy(
  more: Readonly<Record<string, string>> = {},
  ancestors: readonly string[] = [],
): string {
  const framed = frameSources(ancestors);
  const rules = { ...RULES, ...more, 'frame-ancestors': framed.join(' ') || NONE };
  return Object.entries(rules)
    .map(([name, sources]) => `${name} ${sources}`)
    .join('; ');
}
