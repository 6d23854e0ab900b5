import { realpath, stat } from "node:fs/promises";
import type { RuntimeOptions } from "../../../../kernel/runtime/index.ts";
import { countOf } from "../../../../shared/text/count-of.ts";
import { escapeControls, escapeLine } from "../../../../shared/text/escape-controls.ts";
import {
  type ImportMove,
  type Migration,
  type MigrationFinding,
  type SystemName,
  systemNames,
} from "../../../../systems/migrate/migration.ts";
import { openMigrator } from "../../../../systems/migrate/open-migrator.ts";
import { type Command, type ExitCode, exitCodes, type Invocation, UsageError } from "../../command.ts";
import { repeatFlags } from "../../display/resume-command.ts";
import type { FlagValues } from "../../flags.ts";
import { optionsFromFlags } from "../../open/options-from-flags.ts";
import { withSession } from "../../open/with-session.ts";
import { readChoice, readPositiveInteger } from "../../read-values.ts";
import { currentPerson } from "../../terminal/current-person.ts";
import { stopSignal } from "../../terminal/stop-signal.ts";

export default {
  usage: `--from ${systemNames.join("|")} [FOLDER]`,
  arguments: [0, 1],
  flags: ["from", "write", "timeout"],
  example: "--from kode .",
  note: `Nothing of the project is run, and nothing is changed without --write, which changes the import lines alone; that can be
undone. --timeout limits how long the project is read (default: 60000).
Exit codes: 0 nothing to change by hand, 1 something to change, or not all of it could be read.`,

  async run(invocation) {
    const { flags, output } = invocation;
    const system = readSystem(flags.from);
    const folder = await readFolder(invocation);
    const maxMs = readPositiveInteger("--timeout", flags.timeout);
    const migrator = openMigrator(system, { folder, maxMs });
    const options = await migrationOptions(invocation, folder);
    try {
      return await withSession({ ...options, tools: migrator.tools }, flags, async (session) => {
        const signal = stopSignal();
        const { migration, result } = await migrator.read(session, { signal });
        if (migration === undefined) throw new Error(result.text);
        const isWritten = flags.write === true && migration.imports.length > 0;
        const written = isWritten ? await migrator.write(session, { signal }) : undefined;
        if (written !== undefined && written.status !== "done") {
          await output.tell(escapeControls(`No import line was changed: ${written.text}`));
          return written.status === "denied" ? exitCodes.denied : exitCodes.failed;
        }
        const report = { ...migration, written: written?.callId };
        await output.write(
          flags.json ? `${JSON.stringify(report)}\n` : describeMigration(report, undoCommand(report, flags)),
        );
        return exitCodeOf(report);
      });
    } finally {
      await migrator.close();
    }
  },
} satisfies Command;

function readSystem(from: string | undefined): SystemName {
  const system = readChoice("--from", from, systemNames);
  if (system !== undefined) return system;
  const names = systemNames.join(", ").replace(/, (\w+)$/, " or $1");
  throw new UsageError(`say where the project comes from: --from ${names}`);
}

async function readFolder({ arguments: [named], flags }: Invocation): Promise<string> {
  const folder = named ?? flags.workspace ?? ".";
  const status = await stat(folder).catch(() => undefined);
  if (status === undefined) throw new UsageError(`there is no folder ${folder}`);
  if (!status.isDirectory())
    throw new UsageError(`${folder} is not a folder; name the folder of the project`);
  return realpath(folder);
}

/** A report leaves no record; a change does, so that it can be undone. */
async function migrationOptions({ flags }: Invocation, workspace: string): Promise<RuntimeOptions> {
  const options = await optionsFromFlags(flags);
  const { permissions } = options;
  const reading = { ...options, workspace, mcpServers: "off", caller: currentPerson() } as const;
  if (!flags.write) return { ...reading, store: "memory:" };
  return { ...reading, permissions: { mode: "edit", ...permissions } };
}

/** The command that undoes the change; undefined if its record was not kept. */
function undoCommand({ written, folder }: MigrationReport, flags: FlagValues): string | undefined {
  if (written === undefined || flags.store === "memory:") return undefined;
  const places = repeatFlags({ ...flags, workspace: folder }, ["workspace", "store", "config"]);
  return ["toolwright undo", written, "--mode edit", ...places].join(" ");
}

function exitCodeOf({ imports, findings, leftOut, written }: MigrationReport): ExitCode {
  const isLeft = (imports.length > 0 && written === undefined) || leftOut.length > 0;
  return isLeft || findings.some(({ verdict }) => verdict === "change") ? exitCodes.failed : exitCodes.done;
}

interface MigrationReport extends Migration {
  /** The call that changed the import lines. */
  readonly written: string | undefined;
}

/** Describes a migration: a line for each thing that was found, then the totals. */
function describeMigration(migration: MigrationReport, undoCommand?: string): string {
  const { imports, findings, leftOut, written } = migration;
  const verb = written === undefined ? "change to" : "changed to";
  const lines = [
    ...imports.map((each) => ({ ...each, text: describeImport(each, verb) })),
    ...findings.map((each) => ({ ...each, text: describeFinding(each) })),
  ].toSorted((one, other) =>
    one.file === other.file ? one.line - other.line : one.file < other.file ? -1 : 1,
  );
  const text = [
    ...lines.map(({ file, line, text: said }) => `${file}:${line}: ${said}`),
    ...leftOut.map((what) => `not read: ${what}`),
  ];
  if (text.length > 0) text.push("");
  text.push(...summary(migration, undoCommand));
  return text.map((line) => `${escapeLine(line)}\n`).join("");
}

function describeImport({ from, to, kind }: ImportMove, verb: string): string {
  return `${importKinds[kind]} ${JSON.stringify(from)}: ${verb} ${JSON.stringify(to)}`;
}

const importKinds = {
  import: "import",
  reexport: "re-export",
  dynamic: "import",
  require: "require",
  type: "type import",
  mock: "mock",
} as const satisfies Record<ImportMove["kind"], string>;

function describeFinding({ kind, name, verdict, advice }: MigrationFinding): string {
  return `${kind} ${name}: ${verdicts[verdict]}${advice === undefined ? "" : `: ${advice}`}`;
}

const verdicts = { runs: "runs as it is", better: "behaves better", change: "change this" } as const;

const counted = [
  ["tool", "tool"],
  ["plugin", "plugin"],
  ["agent", "agent"],
  ["hook", "hook"],
  ["permission", "set of permissions"],
  ["event", "listener"],
] as const;

function summary(
  { imports, findings, files, folder, from, written, leftOut }: MigrationReport,
  undoCommand: string | undefined,
): string[] {
  if (imports.length + findings.length + leftOut.length === 0)
    return [
      `Nothing of ${from} was found in ${folder}${files === 0 ? "" : `, in ${countOf(files, "file")} read`}.`,
    ];
  const found = [
    countOf(imports.length, "import line"),
    ...counted.flatMap(([kind, noun]) => {
      const count = findings.filter((each) => each.kind === kind).length;
      if (count === 0) return [];
      return [noun.startsWith("set") && count > 1 ? `${count} sets of permissions` : countOf(count, noun)];
    }),
  ];
  const byHand = findings.filter(({ verdict }) => verdict === "change").length;
  const lines = [`Found ${found.join(", ")} in ${countOf(files, "file")}.`];
  if (written !== undefined) {
    const undo = undoCommand === undefined ? "" : ` To undo: ${undoCommand}`;
    lines.push(`Changed ${countOf(imports.length, "import line")}.${undo}`);
  } else if (imports.length > 0) lines.push("--write changes the import lines.");
  lines.push(byHand === 0 ? "Nothing to change by hand." : `${countOf(byHand, "thing")} to change by hand.`);
  return lines;
}
