// Markdown for generated pages, with cells that cannot break their table.

/** A table; every row has as many cells as the head. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |\n`;
  return line(head) + line(head.map(() => ':--')) + rows.map(line).join('');
}
