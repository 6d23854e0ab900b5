import type { CallOptions, Session } from "../../index.ts";
import { type AnyTool, defineTool } from "../../tool/define-tool.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { Migration, SystemName } from "./migration.ts";
import { openSourceReader, type SourceReader } from "./open-source-reader.ts";
import { type ProjectFile, readProject } from "./read-project.ts";

interface MigratorOptions {
  /** The project's. Absolute. */
  readonly folder: string;
  /** How long its files may be read. */
  readonly maxMs?: number | undefined;
  readonly reader?: SourceReader;
}

const defaultMaxMs = 60_000;
// For the search before, and the file that is being read.
const extraMs = 30_000;

/**
 * Reads a project and changes its import lines by calls of a session whose workspace is the project. So the same rules
 * hold as for any other call: files that git ignores are left alone, links lead nowhere, and each change can be undone.
 */
export function openMigrator(
  system: SystemName,
  { folder, maxMs = defaultMaxMs, reader = openSourceReader() }: MigratorOptions,
) {
  let read: { migration: Migration; files: readonly ProjectFile[] } | undefined;
  const reading = defineTool({
    name: "migrate_project",
    description: "Reads what a project of another system uses.",
    params: {},
    traits: { readOnly: true },
    permission: () => ({ action: "read", target: "." }),
    async run(_, context) {
      read = await readProject(context, { system, folder, reader, maxMs });
      const { files, imports, findings } = read.migration;
      return { files, imports: imports.length, findings: findings.length };
    },
  });
  const writing = defineTool({
    name: "migrate_imports",
    description: "Changes the import lines of a project.",
    params: { files: { type: "array", items: { type: "string" } } },
    traits: { changesFilesOnly: true },
    permission: ({ files }) => files.map((target) => ({ action: "write", target })),
    async run({ files }, context) {
      const changes = changesOf(read?.files ?? []).filter(({ path }) => files.includes(path));
      if (changes.length !== files.length) throw new ToolError("conflict", "the project was not read before");
      const written = await context.files.editTexts(changes);
      return written.map(({ path }) => path);
    },
  });
  return {
    /** For the runtime of the session. */
    tools: [reading, writing] satisfies AnyTool[],
    /** Runs nothing of the project. Without a migration, the result says why. */
    async read(session: Session, options: CallOptions = {}) {
      const result = await session.call(reading.name, {}, { timeoutMs: maxMs + extraMs, ...options });
      return { result, migration: read?.migration };
    },
    /** Changes the import lines of the files that were read, all of them or none. */
    write(session: Session, options?: CallOptions) {
      const files = changesOf(read?.files ?? []).map(({ path }) => path);
      return session.call(writing.name, { files }, options);
    },
    close: reader.close,
  };
}

/** Replaces each file as a whole, so that a file that changed after it was read is not written. */
function changesOf(files: readonly ProjectFile[]) {
  return files.flatMap(({ path, text, uses: { imports } }) => {
    const newText = imports
      .toSorted((one, other) => other.start - one.start)
      .reduce((changed, { start, end, to }) => {
        const quote = changed.charAt(start);
        return `${changed.slice(0, start)}${quote}${to}${quote}${changed.slice(end)}`;
      }, text);
    return newText === text ? [] : [{ path, edits: [{ oldText: text, newText }] }];
  });
}
