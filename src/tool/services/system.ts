/** Facts about the machine that commands run on. Nothing in it identifies a person or the machine. */
export interface System {
  info(): Promise<SystemInfo>;
  /** Environment variables of this process. Without names: all that may be shown and are set. */
  variables(names?: readonly string[]): Promise<SystemVariables>;
}

export interface SystemInfo {
  /** As Node names it: `linux`, `darwin` … */
  readonly platform: string;
  readonly release: string;
  readonly arch: string;
  readonly cpus: number;
  readonly memory: { readonly totalBytes: number; readonly freeBytes: number };
  readonly node: string;
  /** The shell that runs commands; absent if there is none. */
  readonly shell?: string;
  /** What confines commands, such as `bubblewrap`; with `none`, the reason. */
  readonly sandbox: { readonly kind: string; readonly reason?: string };
  /** Absolute path of the workspace's root. */
  readonly workspace: string;
  /** The versions of programs that the system itself provides, by name; a program that is not there is left out. */
  readonly programs: Readonly<Record<string, string>>;
}

export interface SystemVariables {
  readonly values: Readonly<Record<string, string>>;
  /** May be shown, but is not set. */
  readonly unset: readonly string[];
  /** Looks like a secret. */
  readonly withheld: readonly string[];
  /** Not among the names that may be shown. */
  readonly notListed: readonly string[];
}
