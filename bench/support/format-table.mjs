/** Aligns rows of named cells in columns: the first to the left, figures to the right. */
export function formatTable(rows) {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ""))];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index].length)));
  return lines.map((line) => formatLine(line, widths)).join("\n");
}

function formatLine(cells, widths) {
  const [first, ...rest] = cells.map((cell, index) =>
    index === 0 ? cell.padEnd(widths[index]) : cell.padStart(widths[index]),
  );
  return ["", first, ...rest].join("  ");
}
