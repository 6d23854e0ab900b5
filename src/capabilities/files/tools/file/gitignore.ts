import { createEventLoopYield } from "../../../../shared/event-loop-yield.ts";
import { type IgnoreRule, readIgnoreFile, toByteText } from "../../../../shared/glob/ignore-file.ts";
import { quoteControls } from "../../../../shared/text/quote-controls.ts";
import { aFlag, aText, eitherOf, objectOf, texts } from "../../../../tool/builtin/schema-parts.ts";
import { declareTool } from "../../../../tool/define-tool.ts";
import type { Files } from "../../../../tool/services/files.ts";
import type { ToolContext } from "../../../../tool/tool-context.ts";
import { ToolError } from "../../../../tool/tool-error.ts";
import { readAndWrite } from "../text-params.ts";

export default declareTool({
  name: "file_gitignore",
  description:
    "Add patterns to a folder's .gitignore, skipping those already in it, or check whether git ignores a path. A tracked file is not ignored.",
  params: {
    action: { type: "string", enum: ["add", "check"], description: "Add patterns, or check a path" },
    dir: {
      type: "string",
      format: "path",
      default: ".",
      description: "The folder whose .gitignore to use",
    },
    patterns: {
      type: "array",
      items: { type: "string", minLength: 1 },
      required: false,
      description: "For add: the patterns to add",
    },
    path: {
      type: "string",
      required: false,
      description: "For check: a path inside dir; a trailing / means a folder",
    },
  },
  aliases: ["gitignore"],
  traits: { changesFilesOnly: true },
  output: eitherOf(
    objectOf({ action: { const: "add" }, file: aText, added: texts }),
    objectOf({ action: { const: "check" }, path: aText, ignored: aFlag }),
  ),
  searchHint: "git ignore exclude untracked",
  permission: ({ action, dir }) =>
    action === "check" ? { action: "read", target: dir } : readAndWrite(ignoreFile(dir)),
  async run({ action, dir, patterns, path }, context) {
    return action === "add" ? addPatterns(dir, patterns, context) : checkPath(dir, path, context);
  },
  toText: (answer) =>
    answer.action === "check"
      ? `${quoteControls(answer.path)} is ${answer.ignored ? "ignored" : "not ignored"}.`
      : answer.added.length === 0
        ? `${quoteControls(answer.file)} already has all of them.`
        : `Added to ${quoteControls(answer.file)}: ${answer.added.map(quoteControls).join(", ")}`,
});

async function addPatterns(dir: string, patterns: readonly string[] = [], { files }: ToolContext) {
  if (patterns.length === 0) throw missing("patterns", "add");
  if (patterns.some((pattern) => /[\r\n]/.test(pattern))) {
    throw new ToolError("invalid-input", "$.patterns: each pattern must be a single line", {
      hint: "Give each line as a pattern of its own.",
    });
  }
  const file = ignoreFile(dir);
  let added: readonly string[] = [];
  const extend = ({ text }: { readonly text: string }) => {
    added = missingFrom(text, patterns);
    return withLines(text, added);
  };
  const current = await readIfThere(files, file);
  if (current === undefined) await files.writeText(file, extend({ text: "" }));
  else await files.updateText(file, extend);
  return { action: "add" as const, file, added };
}

function missingFrom(text: string, patterns: readonly string[]): string[] {
  const known = new Set(text.split(/\r?\n/).map((line) => line.trimEnd()));
  return [...new Set(patterns)].filter((pattern) => !known.has(pattern.trimEnd()));
}

function withLines(text: string, lines: readonly string[]): string {
  if (lines.length === 0) return text;
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const start = text === "" || text.endsWith("\n") ? text : text + newline;
  return start + lines.map((line) => line + newline).join("");
}

async function checkPath(dir: string, path: string | undefined, { files, search }: ToolContext) {
  if (path === undefined || path === "") throw missing("path", "check");
  const inside = segmentsBelow(dir, path);
  const name = `${inside.join("/")}${path.endsWith("/") ? "/" : ""}`;
  const ignored = (await search.isIgnored({ path: dir, name })) ?? (await matchPatterns(files, dir, name));
  return { action: "check" as const, path, ignored };
}

/** Like git: applies the .gitignore of every folder from the workspace down to the path, the deepest last. */
async function matchPatterns(files: Files, dir: string, path: string): Promise<boolean> {
  const { path: shown } = await files.list(dir, { maxEntries: 1 });
  const { path: workspace } = await files.list(".", { maxEntries: 1 });
  const below = workspace === "." || shown === workspace ? shown : withoutStart(shown, withSlash(workspace));
  // The folders above a folder outside the workspace are not ours to read.
  const isOutside = below.startsWith("/") && shown !== workspace;
  const top = isOutside ? shown : ".";
  const segments = [...(isOutside || shown === workspace ? [] : segmentsOf(below)), ...segmentsOf(path)];

  const layers: { readonly depth: number; readonly rules: readonly IgnoreRule[] }[] = [];
  for (const [depth] of segments.entries()) {
    const file = ignoreFile([top, ...segments.slice(0, depth)].join("/"));
    const rules = readIgnoreFile(checkedText(await readIfThere(files, file), file));
    // Searched from the deepest file up, and each from its last line up.
    if (rules.length > 0) layers.unshift({ depth, rules: rules.toReversed() });
  }
  const names = segments.map(toByteText);
  const yieldNow = createEventLoopYield();
  const matchAt = async (length: number, isFolder: boolean): Promise<boolean | undefined> => {
    for (const { depth, rules } of layers.filter((layer) => layer.depth < length)) {
      const below = names.slice(depth, length).join("/");
      for (const rule of rules) {
        if ((isFolder || !rule.isForFolders) && rule.matches(below)) return !rule.isNegated;
        const pause = yieldNow(performance.now());
        if (pause !== undefined) await pause;
      }
    }
  };
  for (let length = 1; length < names.length; length += 1) {
    // A file in an ignored folder cannot be brought back.
    if (await matchAt(length, true)) return true;
  }
  const asFile = (await matchAt(names.length, false)) ?? false;
  const asFolder = (await matchAt(names.length, true)) ?? false;
  // Only a pattern for folders makes a difference; the disk is not read otherwise.
  const isFolder = asFile !== asFolder && (path.endsWith("/") || (await isFolderThere(files, top, segments)));
  return isFolder ? asFolder : asFile;
}

/** Every line is tried on every folder of the path. */
function checkedText(text: string | undefined, file: string): string {
  if (text === undefined || text.length <= maxIgnoreCharacters) return text ?? "";
  throw new ToolError(
    "too-large",
    `${file} has ${text.length} characters; at most ${maxIgnoreCharacters} are read`,
  );
}

const maxIgnoreCharacters = 500_000;

function withoutStart(path: string, start: string): string {
  return path.startsWith(start) ? path.slice(start.length) : path;
}

function segmentsBelow(dir: string, path: string): string[] {
  const isAbsolute = path.startsWith("/");
  const folder = withSlash(dir);
  const segments = segmentsOf(isAbsolute && path.startsWith(folder) ? path.slice(folder.length) : path);
  const isBelow = !isAbsolute || (path.startsWith(folder) && dir.startsWith("/"));
  if (segments.length > 0 && isBelow && !segments.includes("..")) return segments;
  throw new ToolError("invalid-input", `$.path must be inside dir; received ${JSON.stringify(path)}`);
}

function segmentsOf(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "" && segment !== ".");
}

async function isFolderThere(files: Files, top: string, segments: readonly string[]): Promise<boolean> {
  try {
    const parent = [top, ...segments.slice(0, -1)].join("/");
    // Lists the parent because the path itself may be off limits. To git, a link to a folder is not a folder.
    const { entries } = await files.list(parent, { maxEntries: 100_000 });
    return entries.some(({ name, type }) => name === segments.at(-1) && type === "directory");
  } catch (error) {
    if (isNotThere(error)) return false;
    throw error;
  }
}

function ignoreFile(dir: string): string {
  return `${withSlash(dir)}.gitignore`;
}

function withSlash(dir: string): string {
  return dir.endsWith("/") ? dir : `${dir}/`;
}

async function readIfThere(files: Files, path: string): Promise<string | undefined> {
  try {
    return (await files.readText(path)).text;
  } catch (error) {
    if (isNotThere(error)) return undefined;
    throw error;
  }
}

function isNotThere(error: unknown): boolean {
  return error instanceof ToolError && (error.code === "not-found" || error.code === "not-a-directory");
}

function missing(name: string, action: string): ToolError {
  return new ToolError("invalid-input", `$.${name} is required for ${action}`, {
    hint: `Add ${name} and call again.`,
  });
}
