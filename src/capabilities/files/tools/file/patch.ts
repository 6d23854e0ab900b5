import { quoteControls } from "../../../../shared/text/quote-controls.ts";
import { declareTool } from "../../../../tool/define-tool.ts";
import type { PatchedFile } from "../../../../tool/services/files.ts";
import { throwWithCellTool } from "../describe-edit.ts";
import { patchedFiles } from "../file-outputs.ts";
import { readAndWrite } from "../text-params.ts";

export default declareTool({
  name: "file_patch",
  description:
    "Apply a patch to one or more files, all or nothing. The patch is a unified diff, or begins with `*** Begin Patch`, ends with `*** End Patch`, and in between has `*** Add File: path` with lines that start with +, `*** Update File: path` (optionally followed by `*** Move to: path`) with @@ and context, - and + lines, or `*** Delete File: path`.",
  params: { patch: { type: "string", minLength: 1, description: "The patch" } },
  prompt: `Give two or three unchanged lines before and after each change, so that it fits only one place; line numbers are ignored. Each context line begins with a space.`,
  aliases: ["apply_patch"],
  traits: { changesFilesOnly: true, needs: ["write"] },
  output: patchedFiles,
  searchHint: "diff apply change add update delete files",
  permission: ({ patch }) => {
    const paths = pathsIn(patch);
    // A patch that names no file is invalid; rejecting it touches nothing.
    if (paths.length === 0) return { action: "read" };
    return paths.flatMap(readAndWrite);
  },
  async run({ patch }, { files, wording }) {
    try {
      return { files: await files.applyPatch(patch) };
    } catch (error) {
      throwWithCellTool(error, wording);
    }
  },
  toText: ({ files }) => files.map(describeFile).join("\n"),
});

/** The paths that the patch names. Should this overlook one, the files service asks the gate before it opens it. */
function pathsIn(patch: string): string[] {
  const header = patch.includes("*** Begin Patch") ? markedHeader : diffHeader;
  const headers = patch.matchAll(header);
  const paths = [...headers].map(([, path = ""]) => path.trim());
  return [...new Set(paths.filter((path) => path !== "" && path !== "/dev/null"))];
}

const markedHeader = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to):([^\r\n]+)/gm;
const diffHeader = /^(?:(?:---|\+\+\+) (?:[abciow]\/)?|rename (?:from|to) )([^\t\r\n]+)/gm;

const contextWords: ReadonlyMap<string, string> = new Map([
  ["trailing-space", "trailing whitespace"],
  ["trim", "leading and trailing whitespace"],
  ["punctuation", "the style of quotes, dashes and spaces"],
]);

function describeFile({ path, kind, movedTo, matchedBy, diff }: PatchedFile): string {
  const what = { add: "Added", update: "Updated", delete: "Deleted" }[kind];
  const moved = movedTo === undefined ? "" : ` and moved it to ${quoteControls(movedTo)}`;
  const loosely =
    matchedBy === undefined || matchedBy === "exact"
      ? ""
      : ` Its context matched only when ignoring ${contextWords.get(matchedBy) ?? matchedBy}.`;
  return `${what} ${quoteControls(path)}${moved}.${loosely}${diff === undefined ? "" : `\n${diff}`}`;
}
