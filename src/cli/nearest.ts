// What somebody who mistyped a name probably meant. Answers for one close name or none; knows no
// names itself.

/** More letters than this apart are another word. */
const FARTHEST = 3;

/** The sentence that refuses an unknown name: with the one that was meant, else with all. */
export function unknownName(what: string, name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  const there = `There is no ${what} ${name}`;
  if (meant !== null) return `${there}. Did you mean ${meant}?`;
  return `${there}; there are ${known.join(', ')}.`;
}

function nearest(name: string, known: readonly string[]): string | null {
  const [first] = known
    .map((one) => ({ one, apart: lettersApart(name.toLowerCase(), one) }))
    .toSorted((one, other) => one.apart - other.apart);
  const most = Math.min(FARTHEST, Math.floor(name.length / 2));
  return first !== undefined && first.apart <= most ? first.one : null;
}

/** Letters to put in, take out or change. */
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
