import { declareTool } from "../../tool/define-tool.ts";
import type { FoundFile } from "../../tool/services/search.ts";
import type { Wording } from "../../tool/wording.ts";

const maxFiles = 10_000;

export default declareTool({
  name: "search_glob",
  description:
    "Find files by a pattern of their path, newest first, with their sizes. `*` and `?` stay within a name, `**` is any number of folders, `{a,b}` either, `[a-z]` one of them, a leading `!` everything else. `*.ts` looks only directly in the folder, `**/*.ts` in all of it. Dotfiles are found too. What .gitignore leaves out and .git, node_modules, __pycache__, vendor, dist, build are skipped unless include_ignored; files that may hold secrets are always left out.",
  params: {
    pattern: {
      type: "string",
      minLength: 1,
      description: "The pattern, relative to path, such as src/**/*.{ts,tsx}",
    },
    path: {
      type: "string",
      format: "path",
      default: ".",
      description: "Path of the folder to look in, relative to the workspace",
    },
    include_ignored: {
      type: "boolean",
      default: false,
      description: "Also find what .gitignore and the default excludes leave out",
    },
  },
  traits: { readOnly: true, concurrencySafe: true, idempotent: true, deferrable: false },
  searchHint: "find locate list files by name pattern wildcard",
  permission: ({ path }) => ({ action: "read", target: path }),
  async run({ pattern, path, include_ignored: includeIgnored }, { search }): Promise<GlobOutput> {
    const found = await search.glob({ pattern, path, includeIgnored, maxFiles });
    const { files, totalFiles, leftOut, unreadable } = found;
    return {
      pattern,
      path: found.path,
      matches: files.map(toMatch),
      total: totalFiles,
      truncated: totalFiles > files.length,
      ...(leftOut > 0 && { leftOut }),
      ...(unreadable > 0 && { unreadable }),
    };
  },
  toText(output, wording) {
    const lines = output.matches.map(toLine);
    if (lines.length === 0) lines.push(`No file matches ${output.pattern} in ${output.path}`);
    return [...lines, ...notes(output, wording)].join("\n");
  },
});

interface GlobOutput {
  readonly pattern: string;
  readonly path: string;
  readonly matches: readonly Match[];
  readonly total: number;
  readonly truncated: boolean;
  readonly leftOut?: number;
  readonly unreadable?: number;
}

interface Match {
  readonly path: string;
  readonly size?: number;
  readonly mtime?: string;
}

function toMatch({ path, sizeBytes, modifiedAt }: FoundFile): Match {
  if (sizeBytes === undefined || modifiedAt === undefined) return { path };
  return { path, size: sizeBytes, mtime: modifiedAt };
}

/** A name with a line break in it must not look like two files. */
function toLine({ path, size }: Match): string {
  const name = /\p{Cc}/u.test(path) ? JSON.stringify(path) : path;
  return size === undefined ? name : `${name}  (${size} bytes)`;
}

function notes({ pattern, matches, total, truncated, leftOut, unreadable }: GlobOutput, wording: Wording) {
  const said: string[] = [];
  if (truncated) said.push(`(The newest ${matches.length} of ${total}; narrow the pattern to see others.)`);
  if (total === 0 && !pattern.includes("/"))
    said.push(
      `(Only names directly in the folder were looked at; ${wording.argument("pattern", `**/${pattern}`)} looks in all of it.)`,
    );
  if (leftOut !== undefined) said.push(`(Left out: ${leftOut} that may hold secrets or may not be read.)`);
  if (unreadable !== undefined) said.push(`(Places that could not be read: ${unreadable}.)`);
  return said;
}
