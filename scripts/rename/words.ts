// Words that change wherever they stand, what is masked first, and what only one place needs.

/** Words that change in names, prose and SQL: `world`, `worldId`, `WORLD_HEADER`, `of_world`. */
export const WORDS: Readonly<Record<string, string>> = {
  world: 'workspace',
  kernel: 'core',
  remittance: 'transfer',
  fork: 'clone',
  shelf: 'stored',
  entropy: 'random',
  lifted: 'offloaded',
  unfit: 'rejected',
  tally: 'refunded',
};

/** What the outside knows by these names, or what only looks like a word of ours. */
export const KEPT: readonly RegExp[] = [
  /\/sandbox\/worlds/g,
  /webhook-world/g,
  / remittance`|metadata: \{ shelf|"shelf"|look\(\?:_remittance\)/g,
  /\bworld_id\b(?! (?:unique|primary))/g,
  /sandbox(?:Fork|List|End)Worlds?\w*/g,
  /Sandbox(?:Fork|List|End)Worlds?\w*/g,
  /WORLD_(?:BUSY|ENDED|IN_USE|NOT_FOUND|NOT_BEGUN|LIMIT)\b/g,
  /the world sees|to the world|the outside world/g,
  /parked_remittance|look_remittance|\/v1\/remittances|processor(?:Look)?Remittance\w*/g,
  /what: 'remittance'|about: 'remittance'|'remittances'|(?<=  )remittances(?=: \{ operation)/g,
  /'charge'(?:,| \|) 'remittance'|(?:told\('\w+'|rows), 'remittance'/g,
  /then 'remittance'|'attempt' \? 'charge' : 'remittance'/g,
  /(?<=strictObject\(\{ |Worlds = \{ )worlds(?=: (?:z\.array|\{ current))/g,
  /(?<=payload: \{ |const \{ )worlds(?= \} \}| \} = \(await server)/g,
  /\bworlds(?=\.find\(\(\{ current)/g,
  /\bfork(?=[ ,}][^\n]*child_process)/g,
  /\bfork(?=\((?:join|new URL))/g,
];

/** Files whose words are the public's: the test package, the generated client, history. */
export const UNTOUCHED = new RegExp(
  [
    '^(?:testing/|client/|docs/(?:testing\\.md|decisions/|examples/|generated/|proof\\.md)',
    'CHANGELOG\\.md|scripts/rename|test/prove/testing|bench/testing|LICENSE',
    'test/wire/recorded)',
  ].join('|'),
);

/** Exact pieces of text and what stands in their place, in files below a path as it was. */
export const PHRASES: readonly (readonly [scope: string, from: string | RegExp, to: string])[] = [
  // The member of a command, wherever it does not stand for the field `needs` of a form.
  ['src/', /\bneeds(?=\((?:rows|again|collector|_|\))|: \(rows|: \(\) =>)/g, 'load'],
  ['src/', /\bneeds(?=: (?:wantRows|needOwn|needMethod|need|needCase)\b)/g, 'load'],
  ['src/', /(?<=\['|\{ name, |const )needs(?='\]|, decide|: Command)/g, 'load'],
  ['src/domain/', /^  needs,$/gm, '  load,'],
  ['src/domain/escrow/', /\bneeds(?= \} from|\(rows)/g, 'load'],
  ['src/', /\bcritical(?=: true,\n)/g, 'highPriority'],
  ['src/domain/world/api', 'const workspaces = await list', 'const worlds = await list'],
  ['src/domain/clock/clock.test', "'transfer',", "'remittance',"],
  ['test/api/worlds', '{ workspaces: Workspace[] }', '{ worlds: Workspace[] }'],
  ['test/api/worlds', ').workspaces;', ').worlds;'],
  ['shop/', 'known?.workspaces', 'known?.worlds'],
  ['test/start/', 'const { workspaces } = await', 'const { worlds: workspaces } = await'],
  ['test/laws/', 'command.needs(', 'command.load('],
  ['src/', 'never named in needs', 'never named in load'],
  ['src/', 'needs never comes to an end', 'load never comes to an end'],
  ['test/', /\bneeds(?=\((?:rows|want|again|_|\))|: \((?:rows|want)|: \(\) =>)/g, 'load'],
];
