import { defined } from "../../../../shared/options/defined.ts";
import { countOf } from "../../../../shared/text/count-of.ts";
import { quoteControls } from "../../../../shared/text/quote-controls.ts";
import { describePage, takePage } from "../../../../tool/builtin/fit-page.ts";
import {
  aCount,
  aFlag,
  arrayOf,
  aText,
  aTime,
  objectOf,
  sizeBytes,
} from "../../../../tool/builtin/schema-parts.ts";
import { declareTool } from "../../../../tool/define-tool.ts";
import type { DirectoryEntry } from "../../../../tool/services/files.ts";

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
    offset: { type: "integer", minimum: 0, default: 0, description: "Number of entries to skip" },
  },
  traits: { readOnly: true, concurrencySafe: true, idempotent: true },
  output: objectOf(
    {
      path: aText,
      entries: arrayOf(
        objectOf(
          {
            name: aText,
            path: aText,
            type: { enum: ["file", "directory", "link", "other"] },
            size: sizeBytes,
            mtime: aTime,
          },
          { linkTarget: aText },
        ),
      ),
      truncated: aFlag,
    },
    { offset: aCount, total: aCount },
  ),
  searchHint: "ls dir folder directory contents",
  permission: ({ path }) => ({ action: "read", target: path }),
  async run({ path, recursive, offset }, context) {
    const { files, maxOutputCharacters, markTruncated } = context;
    const listing = await files.list(path, { recursive, maxEntries: offset + maxEntries });
    const page = { offset, limit: maxEntries, maxOutputCharacters };
    const listed = listing.entries.map(toListedEntry);
    const entries = takePage(listed, page, (entry) => toLine(entry).length + 1);
    const truncated = listing.truncated || offset + entries.length < listed.length;
    if (truncated) markTruncated();
    // Counted only where the listing went to its end.
    const total = listing.truncated ? undefined : listed.length;
    return { path: listing.path, entries, ...defined({ offset: offset || undefined, total }), truncated };
  },
  toText(output, wording) {
    if (output.total === 0) return `${quoteControls(output.path)} is empty`;
    const notes = describePage({ ...output, shown: output.entries.length, noun: "path" }, wording);
    return [...output.entries.map(toLine), ...notes].join("\n");
  },
});

function toListedEntry({ sizeBytes, modifiedAt, ...entry }: DirectoryEntry) {
  return { ...entry, size: sizeBytes, mtime: modifiedAt };
}

/** Names are quoted so that one with a line break cannot look like two entries. */
function toLine({ path, type, size, mtime, linkTarget }: ReturnType<typeof toListedEntry>): string {
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
      return `${name}  (${countOf(size, "byte")}, ${changed})`;
  }
}
