/** The width of the terminal that questions are shown on. */
export function screenColumns(): number {
  return process.stderr.columns || usualColumns;
}

const usualColumns = 80;
