import type { ToolError } from "../../tool/tool-error.ts";
import { maxWaitMs, type RequestBinding, type WaitingRecords } from "./waiting-records.ts";

interface BeginOptions<Answer> {
  readonly signal: AbortSignal;
  /** Absent for a request that cannot be asked again. */
  readonly binding?: RequestBinding | undefined;
  /** Asks here. The signal tells that the request does not wait any more. */
  readonly ask?: ((over: AbortSignal) => Promise<Answer>) | undefined;
}

/** The requests of a session that wait in this process. */
export function createWaitingQueue<Request extends { readonly id: string }, Answer>({
  records,
  missing,
  expired,
}: {
  readonly records: WaitingRecords<Request, Answer> | undefined;
  missing(id: string): ToolError;
  /** The answer to a request that has waited for a day, or the error that it ends with. */
  readonly expired: () => { readonly answer: Answer } | { readonly error: Error };
}) {
  interface Waiting {
    readonly request: Request;
    settle(answer: Answer): void;
    end(answer?: Answer): void;
  }
  const waiting = new Map<string, Waiting>();
  const find = (id: string): Waiting => {
    const found = waiting.get(id);
    if (found === undefined) throw missing(id);
    return found;
  };
  return {
    list: () => [...waiting.values()].map(({ request }) => request),
    /** Throws if no request of this id waits. */
    find: (id: string) => find(id).request,
    /** Ends a request with an answer. */
    settle: (id: string, answer: Answer) => find(id).settle(answer),
    /** Removes a request that has been answered, or whose call has ended. */
    end: (id: string) => waiting.get(id)?.end(),

    /** Queues a request. The first answer counts: of a handler that is asked here, or of a person elsewhere. */
    begin(request: Request, { signal, binding, ask }: BeginOptions<Answer>) {
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      // The call may have ended already when this one fails.
      promise.catch(() => {});
      const over = new AbortController();
      const end = (answer?: Answer) => {
        if (!waiting.delete(request.id)) return;
        clearTimeout(expiry);
        over.abort(answer && decidedElsewhere);
        records?.remove(request.id, answer);
      };
      const settle = (answer: Answer) => {
        end(answer);
        resolve(answer);
      };
      const expiry = setTimeout(() => {
        const ended = expired();
        if ("answer" in ended) settle(ended.answer);
        else reject(ended.error);
      }, maxWaitMs);
      // Stays alive for an answer that can come from another process.
      if (records?.kept === undefined) expiry.unref();
      waiting.set(request.id, { request, settle, end });
      records?.add(request, binding);
      ask?.(AbortSignal.any([signal, over.signal])).then(settle, reject);
      return promise;
    },
  };
}

/** The reason of the signal that tells a handler that another process has answered. */
export const decidedElsewhere = new DOMException("it was decided elsewhere", "AbortError");
