/** What a project of another system needs in order to run here. */
export interface Migration {
  readonly from: SystemName;
  /** The new import. */
  readonly to: string;
  readonly folder: string;
  /** Files that speak of the system. */
  readonly files: number;
  readonly imports: readonly ImportMove[];
  readonly findings: readonly MigrationFinding[];
  /** Why a part of the project was not looked at; empty if all of it was. */
  readonly leftOut: readonly string[];
}

/** A line that names the system's package, and the name to write there instead. */
export interface ImportMove extends SourcePlace {
  readonly from: string;
  readonly to: string;
  readonly kind: "import" | "reexport" | "dynamic" | "require" | "type" | "mock";
  readonly names: readonly string[];
  readonly isTypeOnly: boolean;
}

interface SourcePlace {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
}

/** Something of the system that a project uses. */
export interface MigrationFinding extends SourcePlace {
  readonly kind:
    | "tool"
    | "plugin"
    | "agent"
    | "hook"
    | "permission"
    | "event"
    | "name"
    | "method"
    | "option"
    | "dependency"
    | "alias"
    | "file";
  readonly name: string;
  /** `change`: by hand. */
  readonly verdict: "runs" | "better" | "change";
  /** The improvement, or the change to make. */
  readonly advice?: string;
}

/** The systems that a project can come from. */
export const systemNames = ["kode", "eko", "pulse", "internal", "flyto"] as const;

export type SystemName = (typeof systemNames)[number];
