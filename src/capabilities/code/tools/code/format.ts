import { oneLine } from "../../../../shared/text/one-line.ts";
import { quoteControls } from "../../../../shared/text/quote-controls.ts";
import { aFlag, arrayOf, aText, objectOf, texts } from "../../../../tool/builtin/schema-parts.ts";
import { declareTool } from "../../../../tool/define-tool.ts";
import type { FormattedFile } from "../../../../tool/services/source-code.ts";
import { ToolError } from "../../../../tool/tool-error.ts";

export default declareTool({
  name: "code_format",
  description:
    "Format files by the formatter that the project is configured for (Biome, dprint, Prettier, Deno, Ruff, Black, gofmt, rustfmt or clang-format). Can be undone.",
  params: {
    paths: {
      type: "array",
      items: { type: "string", format: "path" },
      minItems: 1,
      maxItems: 50,
      description: "Paths of files, relative to the workspace",
    },
    check: { type: "boolean", default: false, description: "Only say which files would change" },
  },
  prompt:
    "Format the files that you have changed, after the last edit of each. It needs a configuration of a formatter in the project; it never chooses a style itself.",
  traits: { needs: ["execute"], timeoutMs: 120_000, windUpMs: 8000 },
  output: objectOf({
    formatter: aText,
    changed: arrayOf(objectOf({ path: aText }, { diff: aText })),
    unchanged: texts,
    failed: arrayOf(objectOf({ path: aText, why: aText })),
    isCheck: { ...aFlag, description: "Nothing was written" },
  }),
  searchHint: "format prettier biome black gofmt rustfmt style indent pretty print lint",
  // Which program it is depends on the project; it is judged like a command when it runs.
  permission: ({ paths, check }) => [
    ...paths.map((path) => ({ action: check ? "read" : "write", target: path }) as const),
    { action: "execute" },
  ],
  async run({ paths, check }, { sourceCode, signal }) {
    const done: FormattedFile[] = [];
    const failed: { path: string; why: string }[] = [];
    for (const path of new Set(paths)) {
      signal.throwIfAborted();
      try {
        done.push(await sourceCode.format(path, { check }));
      } catch (error) {
        // A call for one file fails with its error; of several files, the others are still formatted.
        if (paths.length === 1 || !(error instanceof ToolError) || isForAll(error)) throw error;
        failed.push({ path, why: error.message });
      }
    }
    return {
      formatter: [...new Set(done.map(({ formatter }) => formatter))].join(", "),
      changed: done
        .filter(({ isChanged }) => isChanged)
        .map(({ isChanged: _isChanged, formatter: _formatter, ...file }) => file),
      unchanged: done.filter(({ isChanged }) => !isChanged).map(({ path }) => path),
      failed,
      isCheck: check,
    };
  },
  dryRun: ({ paths }) =>
    `It would run the project's formatter on ${paths.join(", ")}. With the argument check, a call says which of them would change.`,
  toText({ formatter, changed, unchanged, failed, isCheck }) {
    const verb = isCheck ? `Would change by ${formatter}` : `Formatted by ${formatter}`;
    return [
      ...(changed.length > 0
        ? [`${verb}: ${changed.map(({ path }) => quoteControls(path)).join(", ")}.`]
        : []),
      ...(unchanged.length > 0 ? [`Already formatted: ${unchanged.map(quoteControls).join(", ")}.`] : []),
      ...failed.map(({ path, why }) => `Not formatted: ${quoteControls(path)}: ${oneLine(why, maxWhy)}`),
      ...changed.flatMap(({ diff }) => diff ?? []),
    ].join("\n");
  },
});

/** Whether the error would stop every other file too. */
function isForAll({ code }: ToolError): boolean {
  return code === "approval-needed" || code === "timed-out" || code === "cancelled";
}

const maxWhy = 500;
