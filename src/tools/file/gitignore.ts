import { defineTool } from "../../tool/define-tool.ts";
import type { Files } from "../../tool/tool-context.ts";
import { ToolError } from "../../tool/tool-error.ts";

export default defineTool({
  name: "file_gitignore",
  description:
    "Add patterns to a folder's .gitignore (those already there are left alone), or check whether git would ignore a path.",
  params: {
    action: { type: "string", enum: ["add", "check"], description: "What to do" },
    dir: {
      type: "string",
      format: "path",
      default: ".",
      description: "The folder whose .gitignore is meant",
    },
    patterns: {
      type: "array",
      items: { type: "string", minLength: 1 },
      required: false,
      description: "For add: the patterns",
    },
    path: { type: "string", required: false, description: "For check: the path, relative to dir" },
  },
  aliases: ["gitignore"],
  traits: { changesFilesOnly: true },
  searchHint: "git ignore exclude untracked",
  permission: ({ action, dir }) =>
    action === "check"
      ? { action: "read", target: dir }
      : [
          { action: "read", target: ignoreFile(dir) },
          { action: "write", target: ignoreFile(dir) },
        ],
  run({ action, dir, patterns, path }, { files }): Promise<GitignoreAnswer> {
    if (action === "add") return addPatterns(files, dir, patterns);
    return checkPath(files, dir, path);
  },
  toText: (answer) =>
    answer.action === "check"
      ? `${answer.path} is ${answer.ignored ? "ignored" : "not ignored"}.`
      : answer.added.length === 0
        ? `${answer.file} has all of them already.`
        : `Added to ${answer.file}: ${answer.added.join(", ")}`,
});

type GitignoreAnswer =
  | { readonly action: "add"; readonly file: string; readonly added: readonly string[] }
  | { readonly action: "check"; readonly path: string; readonly ignored: boolean };

async function addPatterns(
  files: Files,
  dir: string,
  patterns: readonly string[] = [],
): Promise<GitignoreAnswer> {
  if (patterns.length === 0) throw missing("patterns", "add");
  if (patterns.some((pattern) => /[\r\n]/.test(pattern))) {
    throw new ToolError("invalid-input", "$.patterns: a pattern is one line", {
      hint: "Give each pattern by itself.",
    });
  }
  const file = ignoreFile(dir);
  const current = await readIfThere(files, file);
  const known = new Set(current.split(/\r?\n/).map((line) => line.trimEnd()));
  const added = [...new Set(patterns)].filter((pattern) => !known.has(pattern.trimEnd()));
  if (added.length > 0) {
    const start = current === "" || current.endsWith("\n") ? current : `${current}\n`;
    await files.writeText(file, `${start}${added.join("\n")}\n`);
  }
  return { action: "add", file, added };
}

/** As git does: the .gitignore of every folder from dir down to the path has its say, the deepest last. */
async function checkPath(files: Files, dir: string, path: string | undefined): Promise<GitignoreAnswer> {
  if (path === undefined || path === "") throw missing("path", "check");
  const isFolder = path.endsWith("/");
  const segments = path.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (segments.length === 0 || segments.includes("..") || path.startsWith("/")) {
    throw new ToolError("invalid-input", `$.path must lie below dir; received ${JSON.stringify(path)}`);
  }
  const { default: ignore } = await import("ignore");
  const levels: { depth: number; matcher: ReturnType<typeof ignore> }[] = [];
  let ignored = false;
  for (const [depth] of segments.entries()) {
    const folder = [dir, ...segments.slice(0, depth)].join("/");
    const text = await readIfThere(files, ignoreFile(folder));
    if (text !== "") levels.push({ depth, matcher: ignore().add(text) });
    const isLast = depth === segments.length - 1;
    const suffix = !isLast || isFolder ? "/" : "";
    for (const level of levels) {
      const verdict = level.matcher.test(segments.slice(level.depth, depth + 1).join("/") + suffix);
      if (verdict.ignored) ignored = true;
      if (verdict.unignored) ignored = false;
    }
    // What lies in an ignored folder cannot be brought back by a rule further down.
    if (ignored) break;
  }
  return { action: "check", path, ignored };
}

function ignoreFile(dir: string): string {
  return dir.endsWith("/") ? `${dir}.gitignore` : `${dir}/.gitignore`;
}

async function readIfThere(files: Files, path: string): Promise<string> {
  try {
    return (await files.readText(path)).text;
  } catch (error) {
    if (error instanceof ToolError && (error.code === "not-found" || error.code === "not-a-directory"))
      return "";
    throw error;
  }
}

function missing(name: string, action: string): ToolError {
  return new ToolError("invalid-input", `$.${name} is required for ${action}`, {
    hint: `Give ${name} and call again.`,
  });
}
