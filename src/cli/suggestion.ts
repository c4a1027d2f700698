// Suggests what a mistyped name probably meant.

/** Names with more differing letters are not suggested. */
const FARTHEST = 3;

/** The refusal of an unknown name: with the suggestion, else with all names. */
export function unknownName(what: string, name: string, known: readonly string[]): string {
  const meant = suggestion(name, known);
  const there = `There is no ${what} ${name}`;
  if (meant !== null) return `${there}. Did you mean ${meant}?`;
  return `${there}; there are ${known.join(', ')}.`;
}

function suggestion(name: string, known: readonly string[]): string | null {
  const [first] = known
    .map((one) => ({ one, apart: lettersApart(name.toLowerCase(), one) }))
    .toSorted((one, other) => one.apart - other.apart);
  const most = Math.min(FARTHEST, Math.floor(name.length / 2));
  return first !== undefined && first.apart <= most ? first.one : null;
}

/** Edit distance: letters to insert, delete or change. */
function lettersApart(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (const [column, found] of [...other].entries()) {
      const changed = (row[column] ?? 0) + (letter === found ? 0 : 1);
      next.push(Math.min(changed, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
