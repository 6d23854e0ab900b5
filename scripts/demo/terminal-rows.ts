/** A piece of a row in one style. */
export interface StyledText {
  readonly text: string;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly colour?: number;
}

export type TerminalRow = readonly StyledText[];

type Style = Omit<StyledText, "text">;

const plain: Style = { bold: false, dim: false };

/** What a terminal of this width shows in the end. Knows what the command line writes, and refuses anything else. */
export function terminalRows(written: string, columns: number): TerminalRow[] {
  const rows: { character: string; style: Style }[][] = [[]];
  let column = 0;
  let style = plain;
  let wraps = true;
  const newRow = () => {
    rows.push([]);
    column = 0;
  };
  for (const [piece] of written.matchAll(/\u001b\[[\d;?]*[A-Za-z]|[^\u001b]/gu)) {
    const row = rows.at(-1)!;
    if (piece === "\n") newRow();
    else if (piece === "\r") column = 0;
    else if (!piece.startsWith("\u001b")) {
      if (wraps && column === columns) newRow();
      rows.at(-1)![column] = { character: piece, style };
      column += 1;
    } else if (piece.endsWith("m")) style = piece.slice(2, -1).split(";").reduce(restyle, style);
    else if (piece === "\u001b[2K") row.length = 0;
    else if (piece === "\u001b[0J") row.length = column;
    else if (piece.endsWith("G")) column = Number(piece.slice(2, -1)) - 1;
    else if (piece === "\u001b[?7l") wraps = false;
    else if (piece === "\u001b[?7h") wraps = true;
    else
      throw new Error(`the command line writes ${JSON.stringify(piece)}, which the recorder does not know`);
  }
  return rows.map((row) => {
    const pieces: StyledText[] = [];
    for (const { character, style: own } of Array.from(
      row,
      (cell) => cell ?? { character: " ", style: plain },
    )) {
      const last = pieces.at(-1);
      if (last !== undefined && isSame(last, own))
        pieces[pieces.length - 1] = { ...last, text: last.text + character };
      else pieces.push({ text: character, ...own });
    }
    return pieces;
  });
}

function restyle(style: Style, code: string): Style {
  const { colour: _, ...uncoloured } = style;
  switch (Number(code)) {
    case 0:
      return plain;
    case 1:
      return { ...style, bold: true };
    case 2:
      return { ...style, dim: true };
    case 22:
      return { ...style, bold: false, dim: false };
    case 39:
      return uncoloured;
    default:
      return { ...style, colour: Number(code) };
  }
}

function isSame(one: Style, other: Style): boolean {
  return one.bold === other.bold && one.dim === other.dim && one.colour === other.colour;
}

export function textOf(row: TerminalRow): string {
  return row.map(({ text }) => text).join("");
}
