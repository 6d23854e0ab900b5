import { defined } from "../../../../shared/options/defined.ts";
import { countOf } from "../../../../shared/text/count-of.ts";
import { oneLine } from "../../../../shared/text/one-line.ts";
import { quoteControls, quoteText } from "../../../../shared/text/quote-controls.ts";
import { pageRoom } from "../../../../tool/builtin/fit-page.ts";
import { aCount, aFlag, arrayOf, aText, objectOf, texts } from "../../../../tool/builtin/schema-parts.ts";
import { declareTool } from "../../../../tool/define-tool.ts";
import type { CodeImport, CodeSymbol, ParsedCode } from "../../../../tool/services/source-code.ts";
import type { ToolContext } from "../../../../tool/tool-context.ts";
import { ToolError } from "../../../../tool/tool-error.ts";

const symbol = objectOf(
  { name: aText, kind: aText, line: aCount, endLine: aCount },
  { parent: aText, exportedAs: texts },
);
const imported = objectOf(
  { from: aText, line: aCount, kind: { enum: ["import", "reexport", "dynamic", "require"] }, names: texts },
  { isTypeOnly: aFlag },
);
const problems = arrayOf(objectOf({ line: aCount, message: aText }));

export default declareTool({
  name: "code_analyze",
  description:
    "List what source files declare (functions, classes and their members, types, variables, with lines and exports) and import, by a real parser. For a file, or for all files of code in a folder that git does not ignore. TypeScript and JavaScript only.",
  params: {
    path: {
      type: "string",
      format: "path",
      default: ".",
      description: "Path of a file or a folder, relative to the workspace",
    },
    offset: { type: "integer", minimum: 0, default: 0, description: "Number of files to skip" },
    max_files: {
      type: "integer",
      minimum: 1,
      maximum: 500,
      default: 100,
      description: "The most files to parse",
    },
  },
  prompt: `Use it to get an overview before you read whole files, and to find what imports what. For the places where a name is used, search for it.`,
  traits: { readOnly: true, concurrencySafe: true, idempotent: true, needs: ["read"], windUpMs: 2000 },
  output: objectOf(
    {
      path: aText,
      files: arrayOf(
        objectOf({
          path: aText,
          symbols: arrayOf(symbol),
          imports: arrayOf(imported),
          problems,
          isCut: aFlag,
        }),
      ),
      skipped: arrayOf(objectOf({ path: aText, why: aText })),
      total: { ...aCount, description: "Files of code that were found" },
      truncated: aFlag,
    },
    { offset: aCount, nextOffset: aCount },
  ),
  searchHint:
    "symbols outline functions classes imports exports dependencies ast parse typescript javascript",
  permission: ({ path }) => ({ action: "read", target: path }),
  async run({ path, offset, max_files }, context) {
    const found = await findSources(path, context);
    const wanted = found.slice(offset, offset + max_files);
    const { looked, ...page } = await analyzeWithinLimits(wanted, context);
    const next = offset + looked;
    const truncated = next < found.length;
    if (truncated) context.markTruncated();
    return {
      path,
      ...page,
      total: found.length,
      truncated,
      ...defined({ offset: offset || undefined, nextOffset: truncated ? next : undefined }),
    };
  },
  toText({ path, files, skipped, total, nextOffset, offset = 0 }, wording) {
    if (total === 0) return `There is no TypeScript or JavaScript in ${quoteControls(path)}.`;
    const lines = files.map(describeFile);
    if (skipped.length > 0)
      lines.push(
        `Not analysed: ${skipped.map((file) => `${quoteControls(file.path)} (${file.why})`).join("; ")}.`,
      );
    if (nextOffset !== undefined)
      lines.push(
        `(Files ${offset + 1}-${nextOffset} of ${total}. Continue with ${wording.argument("offset", nextOffset)}.)`,
      );
    return lines.length === 0 ? `(There are only ${countOf(total, "file")}.)` : lines.join("\n");
  },
});

type AnalyzedFile = ParsedCode & { readonly path: string };

const maxFoundFiles = 10_000;
const maxFileBytes = 1_000_000;
const maxTotalBytes = 20_000_000;

/** The files of code, in the order of their paths, so that the next page goes on where this one ends. */
async function findSources(
  path: string,
  { files, search, sourceCode }: ToolContext,
): Promise<readonly string[]> {
  const endings = await sourceCode.endings();
  const isSource = (name: string) => endings.includes(name.slice(name.lastIndexOf(".") + 1).toLowerCase());
  const file = await files.describe(path).catch((error: unknown) => {
    if (error instanceof ToolError && error.code === "is-directory") return undefined;
    throw error;
  });
  if (file !== undefined) {
    if (isSource(path)) return [path];
    throw new ToolError("unsupported", `${path} is in a language that cannot be analysed here`, {
      hint: `Files that end with ${endings.join(", ")} can.`,
    });
  }
  const pattern = `**/*.{${endings.join(",")}}`;
  const found = await search.glob({ path, pattern, maxFiles: maxFoundFiles });
  return found.files.map((file) => file.path).toSorted();
}

/** Analyzes files until the answer or the text that was read gets too long; at least one file is analyzed. */
async function analyzeWithinLimits(paths: readonly string[], context: ToolContext) {
  const { files, sourceCode, signal, maxOutputCharacters } = context;
  const analyzed: AnalyzedFile[] = [];
  const skipped: { path: string; why: string }[] = [];
  let characters = 0;
  let bytes = 0;
  let looked = 0;
  for (const path of paths) {
    signal.throwIfAborted();
    try {
      const { text, sizeBytes, path: shown } = await files.readText(path, { maxBytes: maxFileBytes });
      bytes += sizeBytes;
      const file = { path: shown, ...(await sourceCode.parse({ path, text })) };
      characters += describeFile(file).length + 1;
      const isFull = characters > pageRoom(maxOutputCharacters) || bytes > maxTotalBytes;
      if (isFull && analyzed.length > 0) break;
      analyzed.push(file);
    } catch (error) {
      // Without a parser no file can be analyzed; a file that is broken or may not be read is left out.
      if (!(error instanceof ToolError) || error.code === "unavailable" || signal.aborted) throw error;
      skipped.push({ path, why: error.message });
      characters += path.length + error.message.length;
    }
    looked += 1;
  }
  return { files: analyzed, skipped, looked };
}

function describeFile({ path, symbols, imports, problems, isCut }: AnalyzedFile): string {
  return [
    quoteControls(path),
    ...problems.map(({ line, message }) => `  ${line} syntax error: ${oneLine(message, maxMessage)}`),
    ...imports.map(describeImport),
    ...symbols.map(describeSymbol),
    ...(isCut ? ["  (and more)"] : []),
  ].join("\n");
}

const maxMessage = 300;

const importVerbs = {
  import: "imports",
  reexport: "re-exports",
  dynamic: "imports when it runs",
  require: "requires",
};

function describeImport({ from, line, kind, names, isTypeOnly }: CodeImport): string {
  const what = names.length === 0 ? "" : ` ${names.map(quoteControls).join(", ")} from`;
  return `  ${line} ${importVerbs[kind]}${isTypeOnly ? " types" : ""}${what} ${quoteText(from)}`;
}

function describeSymbol({ name, kind, line, endLine, parent, exportedAs = [] }: CodeSymbol): string {
  const range = line === endLine ? `${line}` : `${line}-${endLine}`;
  // Names may be strings, with anything in them.
  const others = exportedAs.filter((each) => each !== name).map(quoteControls);
  const as = others.length === 0 ? "" : ` as ${others.join(", ")}`;
  const exported = exportedAs.length === 0 ? "" : ` (exported${as})`;
  return `  ${range} ${kind} ${quoteControls(parent === undefined ? name : `${parent}.${name}`)}${exported}`;
}
