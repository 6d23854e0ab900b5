import type { ToolContext } from "../../tool/tool-context.ts";
import type { FlytoContext } from "./flyto-types.ts";

/** The context that Flyto's tools expect, made of ours. A class, because one is made for every call. */
export class FlytoCallContext implements FlytoContext {
  readonly #context: ToolContext;

  constructor(context: ToolContext) {
    this.#context = context;
  }

  get toolwright(): ToolContext {
    return this.#context;
  }

  get workdir(): string {
    return this.#context.workspace;
  }

  get signal(): AbortSignal {
    return this.#context.signal;
  }

  Done(): Promise<void> {
    const { signal } = this.#context;
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }

  Err(): Error | undefined {
    const { signal } = this.#context;
    return signal.aborted ? (signal.reason as Error) : undefined;
  }

  Deadline(): Date {
    return new Date(this.#context.deadline);
  }
}

/** The folder that a call works in. */
export function WorkdirFromContext(ctx: { readonly workdir: string }): string {
  return ctx.workdir;
}
