import { cannotBeSent, fromSentError, type SentError, toSentError } from "./sent-error.ts";

/** All that one process or thread sends to another. */
export type Message =
  | { readonly ask: number; readonly name: string; readonly given: unknown }
  | {
      readonly answer: number;
      readonly value?: unknown;
      readonly failure?: unknown;
      readonly gaveUp?: boolean;
    }
  /** The asking side has given up, for this reason. */
  | { readonly withdraw: number; readonly reason: unknown }
  | { readonly tell: string; readonly given: unknown };

/** Answers the other side; the signal says that it no longer waits. Also takes messages that want no answer. */
export type AnswerParty = (name: string, given: unknown, signal: AbortSignal) => unknown;

/** The other process or thread: either side may ask the other, and several questions may be open at once. */
export type Peer = ReturnType<typeof connectPeer>;

export interface QuestionOptions {
  /** Tells the other side to stop. */
  readonly signal?: AbortSignal | undefined;
  /** After `signal`, the question still waits for the answer of the other side. */
  readonly isPatient?: boolean;
  /** The name of the given value, for the error if it cannot be sent. */
  readonly what?: string;
}

export interface PeerParts {
  send(message: Message): void;
  readonly answer: AnswerParty;
  /** How errors are told to the other side, and what its own become here. */
  readonly errors?: {
    write(error: unknown): unknown;
    read(failure: unknown): unknown;
  };
  /** The error for an answer that cannot be sent. */
  readonly unsendable?: (name: string, cause: unknown) => Error;
}

interface Question extends PromiseWithResolvers<unknown> {
  readonly signal: AbortSignal | undefined;
}

/** A message as it arrives: the other side may be code that wants harm. */
type Received = Readonly<Record<string, unknown>>;

const ownErrors = { write: toSentError, read: (failure: unknown) => fromSentError(failure as SentError) };

export function connectPeer({
  send,
  answer,
  errors = ownErrors,
  unsendable = (name, cause) => cannotBeSent(`the answer to ${name}`, cause),
}: PeerParts) {
  const waiting = new Map<number, Question>();
  const working = new Map<number, AbortController>();
  let asked = 0;
  let closed: { readonly reason: unknown } | undefined;

  const work = async (id: number, name: string, given: unknown): Promise<void> => {
    const own = new AbortController();
    working.set(id, own);
    try {
      const value = await answer(name, given, own.signal);
      try {
        send({ answer: id, value });
      } catch (cause) {
        throw unsendable(name, cause);
      }
    } catch (error) {
      const gaveUp = own.signal.aborted && error === own.signal.reason;
      send(gaveUp ? { answer: id, gaveUp } : { answer: id, failure: errors.write(error) });
    } finally {
      working.delete(id);
    }
  };
  const settle = (id: number, { value, failure, gaveUp }: Received): boolean => {
    const asked = waiting.get(id);
    if (asked === undefined) return false;
    waiting.delete(id);
    if (gaveUp === true && asked.signal?.aborted) asked.reject(asked.signal.reason);
    else if (failure !== undefined) asked.reject(errors.read(failure));
    else asked.resolve(value);
    return true;
  };

  return {
    /** Throws at once if the question cannot be sent. */
    ask(
      name: string,
      given: unknown,
      { signal, isPatient = false, what = "the input" }: QuestionOptions = {},
    ): Promise<unknown> {
      if (closed !== undefined) return Promise.reject(closed.reason);
      const id = ++asked;
      try {
        send({ ask: id, name, given });
      } catch (cause) {
        throw cannotBeSent(what, cause);
      }
      const question = { ...Promise.withResolvers<unknown>(), signal };
      waiting.set(id, question);
      if (signal === undefined) return question.promise;
      const withdraw = () => {
        send({ withdraw: id, reason: errors.write(signal.reason) });
        if (!isPatient) question.reject(signal.reason);
      };
      if (signal.aborted) withdraw();
      else signal.addEventListener("abort", withdraw, { once: true });
      return question.promise.finally(() => signal.removeEventListener("abort", withdraw));
    },
    tell: (name: string, given: unknown) => send({ tell: name, given }),
    /** Takes a message. False if it is not one that the other side may send now. */
    receive(message: object): boolean {
      const { ask, name, given, answer: answered, withdraw, tell, ...rest } = message as Received;
      if (typeof answered === "number") return settle(answered, rest);
      if (typeof ask === "number" && typeof name === "string") void work(ask, name, given);
      else if (typeof tell === "string") answer(tell, given, new AbortController().signal);
      else if (typeof withdraw === "number") working.get(withdraw)?.abort(errors.read(rest.reason));
      else return false;
      return true;
    },
    /** Whether the other side owes an answer. */
    get isWaiting() {
      return waiting.size > 0;
    },
    /** Drops the open questions of either side. */
    drop() {
      waiting.clear();
      for (const own of working.values()) own.abort();
    },
    /** Rejects all questions, also later ones. */
    close(reason: unknown) {
      closed ??= { reason };
      for (const { reject } of waiting.values()) reject(reason);
      this.drop();
    },
  };
}
