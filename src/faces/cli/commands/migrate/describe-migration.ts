import { countOf } from "../../../../shared/text/count-of.ts";
import { escapeLine } from "../../../../shared/text/escape-controls.ts";
import type { ImportMove, Migration, MigrationFinding } from "../../../../systems/migrate/migration.ts";

export interface MigrationReport extends Migration {
  /** The call that changed the import lines. */
  readonly written?: string;
}

/** A line for everything that was found, then what it comes to. */
export function describeMigration(migration: MigrationReport, undoCommand?: string): string {
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
    ...(lines.length + leftOut.length === 0 ? [] : [""]),
    ...summary(migration, undoCommand),
  ];
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
