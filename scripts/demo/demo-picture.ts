import type { StyledText, TerminalRow } from "./terminal-rows.ts";

const cell = { width: 8.4, height: 19 };
const margin = { side: 20, top: 44, bottom: 16 };
const colours: Readonly<Record<number, string>> = {
  31: "#ff8f8f",
  32: "#8fd68f",
  33: "#f0c674",
  36: "#7fc8e8",
};

/** The window of a terminal as an SVG picture, readable on light and dark pages. */
export function toPicture(
  rows: readonly TerminalRow[],
  { columns, title }: { columns: number; title: string },
): string {
  const width = Math.ceil(columns * cell.width + 2 * margin.side);
  const height = rows.length * cell.height + margin.top + margin.bottom;
  const lights = ["#ff5f57", "#febc2e", "#28c840"].map(
    (fill, index) => `<circle cx="${20 + index * 18}" cy="18" r="6" fill="${fill}"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeXml(title)}">
<title>${escapeXml(title)}</title>
<rect width="${width}" height="${height}" rx="10" fill="#1c1f26"/>
${lights.join("")}
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="#d7dae0" xml:space="preserve">
${rows.map(toLine).join("\n")}
</g>
</svg>
`;
}

/** Every row has its own width, so that another font does not move the next one. */
function toLine(row: TerminalRow, index: number): string {
  const y = margin.top + (index + 1) * cell.height - 5;
  let column = 0;
  const pieces = row.map((piece) => {
    const x = (margin.side + column * cell.width).toFixed(1);
    column += [...piece.text].length;
    const length = ([...piece.text].length * cell.width).toFixed(1);
    const fit = piece.text.trim() === "" ? "" : ` textLength="${length}" lengthAdjust="spacingAndGlyphs"`;
    return `<tspan x="${x}"${fit}${toAttributes(piece)}>${escapeXml(piece.text)}</tspan>`;
  });
  return `<text y="${y}">${pieces.join("")}</text>`;
}

function toAttributes({ bold, dim, colour }: StyledText): string {
  const fill = colour === undefined ? (dim ? "#9aa0ab" : undefined) : colours[colour];
  return [bold ? ' font-weight="bold"' : "", fill === undefined ? "" : ` fill="${fill}"`].join("");
}

/** The text of a picture, row by row. */
export function rowsOfPicture(picture: string): string[] {
  return [...picture.matchAll(/<text [^>]*>(.*)<\/text>/g)].map(([, inside = ""]) =>
    inside
      .replace(/<[^>]+>/g, "")
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&quot;", '"')
      .replaceAll("&amp;", "&"),
  );
}

function escapeXml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
