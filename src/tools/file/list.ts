import { quoteControls } from "../../shared/text/quote-controls.ts";
import { declareTool } from "../../tool/define-tool.ts";
import type { DirectoryEntry } from "../../tool/services/files.ts";

const maxEntries = 1000;

export default declareTool({
  name: "file_list",
  description:
    "List the entries of a directory with type, size and modification time. Links are not followed.",
  params: {
    path: {
      type: "string",
      format: "path",
      default: ".",
      description: "Path of the directory, relative to the workspace",
    },
    recursive: { type: "boolean", default: false, description: "Also list the contents of subdirectories" },
  },
  traits: { readOnly: true, concurrencySafe: true, idempotent: true },
  searchHint: "ls dir folder directory contents",
  permission: ({ path }) => ({ action: "read", target: path }),
  async run({ path, recursive }, { files }): Promise<ListOutput> {
    const listing = await files.list(path, { recursive, maxEntries });
    return { ...listing, entries: listing.entries.map(toListedEntry) };
  },
  toText({ path, entries, truncated }) {
    if (entries.length === 0) return `${path} is empty`;
    const lines = entries.map(toLine);
    if (truncated)
      lines.push(`(Showing only the first ${entries.length} entries; list a subdirectory to see more.)`);
    return lines.join("\n");
  },
});

interface ListOutput {
  readonly path: string;
  readonly entries: readonly ListedEntry[];
  readonly truncated: boolean;
}

interface ListedEntry {
  readonly name: string;
  readonly path: string;
  readonly type: DirectoryEntry["type"];
  readonly size: number;
  readonly mtime: string;
  readonly linkTarget?: string;
}

function toListedEntry({ sizeBytes, modifiedAt, ...entry }: DirectoryEntry): ListedEntry {
  return { ...entry, size: sizeBytes, mtime: modifiedAt };
}

/** Names are quoted so that one with a line break cannot look like two entries. */
function toLine({ path, type, size, mtime, linkTarget }: ListedEntry): string {
  const name = quoteControls(path);
  const changed = mtime.slice(0, 19).replace("T", " ");
  switch (type) {
    case "directory":
      return `${name}/  (${changed})`;
    case "link":
      return `${name} -> ${quoteControls(linkTarget ?? "")}  (link, ${changed})`;
    case "other":
      return `${name}  (neither file nor directory, ${changed})`;
    case "file":
      return `${name}  (${size} bytes, ${changed})`;
  }
}
