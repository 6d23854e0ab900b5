import { fc } from "../../support/fuzz.ts";

const words = fc.oneof(
  fc.constantFrom(
    "",
    "\n",
    "a\n",
    "print(\"x\")\nprint('y')",
    "\\",
    '\\"',
    "é\u2028\u0000",
    "{[,:]}",
    "a\r\nb",
  ),
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.array(fc.string({ maxLength: 6 }), { maxLength: 4 }).map((lines) => lines.join("\n")),
);

/** Text as notebooks have it: whole, or as a list of lines. */
const multiline = fc
  .tuple(words, fc.boolean())
  .map(([text, isList]) => (isList ? (text.match(/[^\n]*\n|[^\n]+$/g) ?? []) : text));

/** A whole image of one pixel. */
export const dotImage =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const output = fc.oneof(
  fc.record({
    output_type: fc.constant("stream"),
    name: fc.constantFrom("stdout", "stderr"),
    text: multiline,
  }),
  fc.record({
    output_type: fc.constant("display_data"),
    data: fc.record({ "text/plain": multiline, "image/png": fc.constantFrom("iVBORw0KGgo=", dotImage) }),
    metadata: fc.constant({ n: "@number" }),
  }),
);
const metadata = fc.constantFrom({}, { tags: ["@escape"] }, { source: ["not this"], cells: [{}] });
const common = { id: fc.option(fc.uuid(), { nil: undefined }), metadata, source: multiline };
const cell = fc.oneof(
  fc.record({
    cell_type: fc.constant("code"),
    ...common,
    execution_count: fc.constantFrom(null, 3),
    outputs: fc.array(output, { maxLength: 2 }),
  }),
  fc.record({ cell_type: fc.constantFrom("markdown", "raw"), ...common }),
);

/** How a program lays JSON out. */
const layout = fc.record({
  indent: fc.constantFrom(undefined, " ", "  ", "\t"),
  newline: fc.constantFrom("\n", "\r\n"),
  space: fc.constantFrom("", " "),
  end: fc.constantFrom("", "\n"),
  isEscaped: fc.boolean(),
  cellsFirst: fc.boolean(),
});

/** The texts of notebooks: any cells, as any program might write them. */
export const notebookTexts = fc
  .record({ cells: fc.array(cell, { maxLength: 4 }), minor: fc.constantFrom(2, 5), layout })
  .map(({ cells, minor, layout: { cellsFirst, end, ...form } }) => {
    const about = {
      metadata: { n: "@number", z: "@escape", a: [] },
      nbformat: 4,
      nbformat_minor: minor,
    };
    const root = cellsFirst ? { cells, ...about } : { ...about, cells };
    const text = write(root, form, 0).replaceAll('"@number"', "1.50E+1");
    return text.replaceAll('"@escape"', String.raw`"\u00e9\/\t"`) + end;
  });

export { words as sources };

interface Form {
  readonly indent: string | undefined;
  readonly newline: string;
  readonly space: string;
  readonly isEscaped: boolean;
}

function write(value: unknown, form: Form, level: number): string {
  const { indent, newline, space, isEscaped } = form;
  if (typeof value !== "object" || value === null) {
    const json = JSON.stringify(value);
    const toEscape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
    return isEscaped ? json.replace(/[^\x00-\x7f]/g, toEscape) : json;
  }
  const pieces = Array.isArray(value)
    ? value.map((inner) => write(inner, form, level + 1))
    : Object.entries(value)
        .filter(([, inner]) => inner !== undefined)
        .map(([name, inner]) => `${JSON.stringify(name)}:${space}${write(inner, form, level + 1)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  if (pieces.length === 0) return `${open}${close}`;
  if (indent === undefined) return `${open}${pieces.join(`,${space}`)}${close}`;
  const start = newline + indent.repeat(level + 1);
  return `${open}${start}${pieces.join(`,${start}`)}${newline}${indent.repeat(level)}${close}`;
}
