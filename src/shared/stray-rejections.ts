import { AsyncLocalStorage } from "node:async_hooks";
import { describeThrown } from "./text/describe-thrown.ts";

/** Gets the value of an unhandled rejection, or of an uncaught error. */
type OnStray = (reason: unknown) => void;

export type StrayGuard = ReturnType<typeof createStrayGuard>;

/** Another guard may be another copy of this package, so they know each other by a registered symbol. */
const ownsRejection = Symbol.for("toolwright.owns-rejection");

const inside = new AsyncLocalStorage<OnStray>();

const listener = Object.assign(
  (reason: unknown) => {
    const onStray = inside.getStore();
    if (onStray !== undefined) tell(onStray, reason);
    else if (isNobodys(listener)) throw asError(reason);
  },
  { [ownsRejection]: () => inside.getStore() !== undefined },
);

/** One listener serves them all: Node warns of more than ten. */
let guards = 0;

/**
 * Keeps promises that foreign code forgot from ending the process: Node ends it with an unhandled rejection, unless a
 * listener is there. A guard listens, and leaves every rejection outside its work to the other listeners, or to Node's
 * default.
 */
export function createStrayGuard() {
  guards += 1;
  if (guards === 1) process.on("unhandledRejection", listener);
  let isClosed = false;
  return {
    /**
     * Runs work. A promise that the work forgets is reported to `onStray` if it is rejected, also after the work is over.
     */
    run: <Result>(onStray: OnStray, work: () => Result): Result => inside.run(onStray, work),
    close(): void {
      if (isClosed) return;
      isClosed = true;
      guards -= 1;
      if (guards === 0) process.off("unhandledRejection", listener);
    },
  };
}

/**
 * For a process that serves others: an error that code throws in a timer or a callback no longer ends the process. It
 * goes to the call that started it, if there is one, and to `report` otherwise. Returns a function that ends this.
 */
export function surviveStrays(report: (error: unknown) => void): () => void {
  const onUncaught = (error: unknown) => tell(inside.getStore() ?? report, error);
  // Listeners that exist already would end the process.
  const others = process.listeners("uncaughtException");
  for (const other of others) process.off("uncaughtException", other);
  process.on("uncaughtException", onUncaught);
  // So would later listeners, such as those of a tool's library.
  const onListener = (event: string | symbol, added: Listener) => {
    const isOther =
      (event === "uncaughtException" && added !== onUncaught) ||
      (event === "unhandledRejection" && added[ownsRejection] === undefined);
    // Once it listens, which it does not before this returns.
    if (isOther) queueMicrotask(() => process.off(event, added));
  };
  process.on("newListener", onListener);
  // Called before the other listeners: a tool may have removed all of them.
  const listenAgain = () => {
    if (!process.listeners("uncaughtException").includes(onUncaught))
      process.on("uncaughtException", onUncaught);
  };
  process.on("uncaughtExceptionMonitor", listenAgain);
  return () => {
    process.off("newListener", onListener);
    process.off("uncaughtExceptionMonitor", listenAgain);
    process.off("uncaughtException", onUncaught);
    for (const other of others) process.on("uncaughtException", other);
  };
}

export function describeStray(tool: string, reason: unknown): string {
  return `${tool} started something that failed, and did not wait for it: ${describeThrown(reason)}`;
}

function tell(onStray: OnStray, reason: unknown): void {
  try {
    onStray(reason);
  } catch {
    // The report itself failed, so the error is dropped.
  }
}

type Listener = ((reason: unknown) => void) & { readonly [ownsRejection]?: () => boolean };

/** Whether only guards listen, none of them owns the rejection, and this is the one to say so. */
function isNobodys(listener: Listener): boolean {
  const listeners = process.listeners("unhandledRejection") as readonly unknown[] as readonly Listener[];
  const areGuards = listeners.every((each) => each[ownsRejection] !== undefined);
  return areGuards && !listeners.some((each) => each[ownsRejection]?.()) && listeners[0] === listener;
}

function asError(reason: unknown): unknown {
  return reason instanceof Error
    ? reason
    : new Error("a promise was rejected and not handled", { cause: reason });
}
