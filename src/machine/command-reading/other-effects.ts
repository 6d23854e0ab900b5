/** The effects of a command besides its paths. */
export interface OtherEffects {
  /** `*` if unknown. */
  readonly hosts: readonly string[];
  /** It may do more than the lists say. */
  readonly opaque: boolean;
  /** It shows the content of files as git keeps them. */
  readonly showsHistory: boolean;
  /** All it does at its hosts is to fetch something and print it. */
  readonly fetches: boolean;
  /** A repository that it reads and of which the workspace is a part; absolute. */
  readonly repository?: string | undefined;
  /** It also changes that repository. */
  readonly writesRepository?: boolean | undefined;
  /** Submodules that commands have made, and whose settings it uses; absolute. */
  readonly enters?: readonly string[] | undefined;
}

/** Whether it does nothing but read; the caller still has to judge the paths. */
export function isHarmless({ writes, deletes, runs, hosts, opaque }: ChangingEffects): boolean {
  return !opaque && !deletes && writes.length + runs.length + hosts.length === 0;
}

interface ChangingEffects extends Pick<OtherEffects, "hosts" | "opaque"> {
  readonly writes: readonly string[];
  readonly deletes: boolean;
  readonly runs: readonly string[];
}
