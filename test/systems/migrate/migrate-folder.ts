import { afterAll } from "vitest";
import type { MigrationFinding, SystemName } from "../../../src/systems/migrate/migration.ts";
import { openMigrator } from "../../../src/systems/migrate/open-migrator.ts";
import { openSourceReader } from "../../../src/systems/migrate/open-source-reader.ts";
import { putFiles } from "../../support/open-file-session.ts";
import { openTestSession, temporaryFolder } from "../../support/open-test-session.ts";

// One process for all tests: it is what takes longest to start.
const reader = openSourceReader();
afterAll(() => reader.close());

/** What is found in a project with these files. */
export async function migrateFolder(
  system: SystemName,
  files: Record<string, string>,
  { folder: given, maxMs }: { folder?: string; maxMs?: number } = {},
) {
  const folder = given ?? (await temporaryFolder());
  await putFiles(folder, files);
  const migrator = openMigrator(system, { folder, reader, ...(maxMs !== undefined && { maxMs }) });
  const { session } = await openTestSession({
    workspace: folder,
    permissions: { mode: "edit" },
    tools: migrator.tools,
  });
  const { migration, result } = await migrator.read(session);
  if (migration === undefined) throw new Error(result.text);
  return { migration, folder, session, write: () => migrator.write(session) };
}

/** Each finding as one line. */
export function linesOf(findings: readonly MigrationFinding[]): string[] {
  return findings.map(({ file, line, kind, name, verdict }) => `${file}:${line} ${kind} ${name} ${verdict}`);
}
