import type { ImportMove, MigrationFinding } from "./migration.ts";
import type { SystemName } from "./moves/system-names.ts";

/** A task for the process that parses a project's files. */
export type SourceTask =
  | { readonly kind: "exports"; readonly path: string; readonly text: string }
  | { readonly kind: "aliases"; readonly text: string; readonly packages: readonly string[] }
  | {
      readonly kind: "uses";
      readonly path: string;
      readonly text: string;
      readonly system: SystemName;
      readonly exports: EntryExports;
      readonly aliases: readonly string[];
    };

export type SourceAnswer =
  | { readonly exports: EntryExports }
  | { readonly aliases: readonly FoundAlias[] }
  | { readonly uses: SourceUses }
  | { readonly failure: "not-installed" | "unparsable" };

/** The names that an entry point exports, and whether each exists at run time. */
export interface EntryExports {
  readonly names: Readonly<Record<string, "value" | "type">>;
}

/** A name that the project has for the system's package, from `paths` of a tsconfig.json. */
export interface FoundAlias {
  readonly name: string;
  readonly line: number;
}

export interface SourceUses {
  readonly imports: readonly (Omit<ImportMove, "file"> & Span)[];
  readonly findings: readonly Omit<MigrationFinding, "file">[];
  /** The mistake in the syntax of a file that could not be parsed. */
  readonly problem: { readonly line: number; readonly message: string } | undefined;
}

/** Where a module's name stands, with its quotes. */
interface Span {
  readonly start: number;
  readonly end: number;
}
