/** Tools that agents make for the project. */
export interface MadeToolBuilder {
  /**
   * Proposes a tool: it is checked, its examples are run in a sandbox, and a person is asked to approve it, if one can
   * be asked. Once approved, it can be called like any other.
   */
  propose(tool: ProposedTool): Promise<CreatedTool>;
}

/** A tool as it is proposed. */
export interface ProposedTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly language: "javascript" | "typescript" | "shell";
  /** A module whose default export is `(input, context) => output`, or a bash script. */
  readonly code: string;
  /** The parts of its context that it uses, such as `files.readText`. */
  readonly permissions: readonly string[];
  readonly examples: readonly {
    readonly input: Readonly<Record<string, unknown>>;
    readonly output: unknown;
    /** The answers of its context, by the method that it calls. */
    readonly context?: Readonly<Record<string, unknown>>;
  }[];
  readonly timeoutMs?: number;
}

export interface CreatedTool {
  /** For `toolwright approve` and `toolwright deny`. */
  readonly id: string;
  readonly name: string;
  readonly status: "active" | "proposed";
  readonly version: number;
}

/** A version of a made tool, as a list of them shows it. */
export interface MadeToolStatus {
  readonly id: string;
  readonly name: string;
  /** Of its whole content; a decision is on exactly this. */
  readonly hash: string;
  /** `inactive` is approved, but not offered: its file in the project is gone or was changed. */
  readonly status: "active" | "inactive" | "proposed" | "denied" | "revoked";
  readonly description: string;
  readonly language: string;
  readonly permissions: readonly string[];
  readonly version: number;
  readonly madeBy: string;
  /** ISO 8601. */
  readonly madeAt: string;
  /** Who approved, denied or revoked it. */
  readonly by?: string;
  readonly decidedAt?: string;
  /** Why it was denied or revoked, or is not active. */
  readonly why?: string;
  /** All of it, as the project keeps it; of a proposal for a tool that is approved, what would change. */
  readonly text: string;
}
