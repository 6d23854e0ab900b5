import { posix } from "node:path";
import { ToolError } from "../../tool/tool-error.ts";
import { readingScope } from "../workspace/reading-scope.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { cleanLine } from "./clean-line.ts";
import { FrontMatterError, readFrontMatter } from "./read-front-matter.ts";

/** What a skill's folder says of itself, or why it cannot be used. */
export type SummaryReading =
  | { readonly status: "read"; readonly name: string; readonly description: string }
  | { readonly status: "unusable"; readonly path: string; readonly message: string };

export const maxSkillBytes = 2 ** 20;

const maxDescriptionCharacters = 1024;

export function skillFile(path: string): string {
  return `${path}/SKILL.md`;
}

/** Reads only what is inside the workspace and may be read without asking. */
export async function readSummary(path: string, workspace: Workspace): Promise<SummaryReading> {
  const name = posix.basename(path);
  const file = skillFile(path);
  const unusable = (where: string, message: string): SummaryReading => ({
    status: "unusable",
    path: cleanLine(where, maxPathCharacters),
    message,
  });
  if (!isSkillName(name))
    return unusable(path, "its name may have no more than 64 letters, digits, . _ - and spaces");
  try {
    const { floor } = await workspace.judge(file, "read");
    if (floor !== undefined) return unusable(file, floor.reason);
    const files = workspace.files(readingScope(new AbortController().signal));
    const { text } = await files.readText(file, { maxBytes: maxSkillBytes });
    const description = cleanLine(
      readFrontMatter(text).fields.get("description") ?? "",
      maxDescriptionCharacters,
    );
    if (description === "") return unusable(`${file}:1`, "the front matter has no description");
    return { status: "read", name, description };
  } catch (error) {
    if (error instanceof FrontMatterError) return unusable(`${file}:${error.line}`, error.message);
    if (error instanceof ToolError) return unusable(file, cleanLine(error.message, maxPathCharacters));
    throw error;
  }
}

const maxPathCharacters = 500;

/** Nothing that could be taken for a path, an option or two lines. */
function isSkillName(name: string): boolean {
  return /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._ -]{0,63}$/u.test(name);
}
