import type { PathAction } from "./paths/judge-path.ts";
import type { JudgedRequest } from "./rules/match-request.ts";

/** The paths that a call may read and write. */
export class AdmittedPaths {
  readonly #known = { read: nothingAdmitted(), write: nothingAdmitted() };

  /** Compares both forms of a path: rules may deny another spelling, and the target may have been swapped. */
  has(action: PathAction, { written, real }: { readonly written: string; readonly real: string }): boolean {
    const known = this.#known[action];
    return known.real.has(real) && known.written.has(written);
  }

  /** Admits the path of a request, but none of a command, which opens its paths itself. */
  add({ action, path, command }: JudgedRequest): void {
    if (path === undefined || command !== undefined || (action !== "read" && action !== "write")) return;
    this.#known[action].real.add(path.real.absolute);
    // The verdict covered the real path too, so that spelling is admitted as well.
    this.#known[action].written.add(path.written.absolute).add(path.real.absolute);
  }
}

interface Admitted {
  readonly written: Set<string>;
  readonly real: Set<string>;
}

function nothingAdmitted(): Admitted {
  return { written: new Set(), real: new Set() };
}
