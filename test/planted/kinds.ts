// The kinds of mistakes that planted defects stand for, and the defects of each. A new defect is a
// row of one of them, or of a new kind.

export const KINDS: Readonly<Record<string, readonly string[]>> = {
  'money is rounded or shown wrongly': [
    ...['fees are rounded down', 'the remainder of a split is lost'],
    ...['left-over units go to the smallest remainders', 'an amount loses digits on the wire'],
    ...['a wrong exponent', 'five cents are shown as fifty'],
  ],
  'input that must be refused is read': [
    ...['a key that stands twice', 'a number beyond 2^53 is an integer'],
    ...['half a surrogate pair is read', 'a second spelling of an id'],
    'metadata is measured in characters',
  ],
  'a limit is off by one': [
    ...['one level too deep', 'one unit above the cap', 'a list is read to its end'],
  ],
  'equal requests differ': ['fingerprints depend on the order of keys'],
  'ids are out of order': ['fresh ids out of order'],
  'time is reckoned wrongly': [
    ...['a local time is read as UTC', 'microseconds carry the wrong way'],
    'time runs backwards',
  ],
  'another clock is asked': ['due by the clock on the wall', 'stamps by the clock on the wall'],
  'a secret is not bound to its place': ['what is sealed opens anywhere'],
  'a lifecycle goes where it may not': [
    ...['the end of an arrow is not asked', 'an illegal move', 'a returned payout is paid again'],
    'a dispute under review is closed',
  ],
  'one starves the others': [
    ...['a tenant fills the batch', 'first come, first served between tenants'],
    ...['a blocked tenant uses up the looks of all', 'small groups start beside large ones'],
  ],
  'order is lost': [
    ...['a later command overtakes', 'events of one resource out of order'],
    ...['high priority goes last', 'the newest of high priority goes first'],
    'webhooks overtake each other',
  ],
  'a lock is missing': [
    ...['rows in flight are taken again', 'a single command takes rows in flight'],
    ...['rows that were not locked are decided on', 'a change without a lock'],
  ],
  'locks are taken in another order': ['locks in any order'],
  'a write is lost': ['a lost update', 'what was not written is not noticed'],
  'who waits is never told': ['held names are not given back', 'nobody is late'],
  'what must be done is dropped': [
    ...['high priority is dropped as late', 'high priority waits for a database that is away'],
  ],
  'what passes is taken for final': [
    ...['a lost unique key is a fault', 'a lost unique key is looked for once'],
    ...['a deadlock is a fault', 'a lost database uses up a payout day'],
  ],
  'one failure takes others along': ['a poisoned command takes its batch along'],
  'a repetition is done again': [
    'a milestone is released twice',
    ...['a repeated request is run beside the first', 'an answer is not kept'],
    'a repeated command is done again',
  ],
  'a key answers for something else': ['a key answers for another request'],
  'the outcome of a commit is guessed': [
    ...['a lost commit is believed to be undone', 'a commit without an answer is tried again'],
  ],
  'more is spent than there is': ['a balance below zero', 'the integrator is overdrawn'],
  'an entry does not add up': ['an entry off balance', 'money that no row names'],
  'currencies are mixed': [
    ...['currencies are added up', 'one account for all currencies'],
    ...['the audit adds currencies up', 'another currency is credited'],
  ],
  'money is not moved, or elsewhere': [
    ...['a commit posts nothing', 'a failed payment releases nothing', 'a merge moves nothing'],
    ...['a refused refund keeps the money', 'a payout that takes nothing'],
    ...['an accepted identity releases nothing', 'a decision of people keeps nothing'],
    ...['a commit invoice gives back', 'a reversal is covered by what it restores'],
    ...['a second capture is cleared at once', 'what a row names is left out'],
    ...['credits go into another account', "the tax is the integrator's to spend"],
  ],
  'a change is not announced': [
    ...['a move is silent', 'a paid invoice is not announced', 'a withdrawn refund is silent'],
    ...['a failed deposit is silent', 'an update of tax data is silent', 'a business is silent'],
  ],
  'something else is announced': [
    ...['an escrow warns with its update', 'a creation is announced'],
    'who delivers is woken for nothing',
  ],
  'another tenant is read or changed': [
    ...["a cached row of another tenant's", "a search finds another tenant's rows"],
    "another workspace's counter moves along",
  ],
  'what has ended goes on': [
    ...['the clock acts on what is archived', 'an archived workspace takes commands'],
  ],
  'a check sees nothing': [
    ...['a fold that nobody notices', 'the audit does not count the integrator'],
    ...['the audit does not see a gap', 'a block that follows another one'],
    'the audit does not see tax too much',
  ],
  'a refused change stays': ['a refused command leaves its changes'],
  'a value is taken for none': ['a text that says NULL is nothing'],
  'a count starts over': ['a sequence starts over'],
  'unfinished work is forgotten': ["a lost job is nobody's"],
  'no answer is taken for one': ['no answer is a refusal', 'a provider out of reach refuses'],
  'another amount is believed': ['another amount is credited'],
  'what was used or is old counts': ['an old webhook counts', 'a link opens twice'],
  'more goes back than came': [
    'a part that takes nothing of its charges',
    ...['a refund leaves no trace on the charge', 'each refund rounds its tax alone'],
  ],
  'a condition is not asked': ['a payout without an identity'],
  'more goes than is held': [
    ...['a part above what is held', 'a line twice in a part', 'a milestone beyond what is held'],
  ],
  'a freeze stops nothing': ['a release while disputed', 'a freeze in which dates come'],
  'a date comes twice, or early': ['a date that comes again', 'a date without its warning'],
  'an id does not follow its rule': ['two parts with one invoice', 'a part with the id of another'],
  'a split is not whole': ['a split that does not sum', 'a split that leaves a line out'],
  'a decision is made twice, or by one side': [
    ...['a disagreement that ends twice', 'who proposes also accepts'],
    'a proposal that was replaced',
  ],
  'SQL by hand moves what may not move': [
    ...['a part above what is held is typed', 'a part of less than nothing is typed'],
    ...['an end that leaves something is typed', 'a milestone is typed twice'],
    ...['a release while disputed is typed', 'the end of a freeze is typed'],
    ...['a part without its invoice is typed', 'what has gone is typed anew'],
    'a split that does not sum is typed',
  ],
  'a forbidden place is called': ['an address inside the network is called'],
};
