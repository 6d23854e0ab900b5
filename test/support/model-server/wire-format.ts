import type { ScriptedStep } from "../../../src/capabilities/agents/index.ts";

/** How a vendor's API streams an answer, and what it asks of a transcript. */
export interface WireFormat {
  /** The end of the path that requests come to. */
  readonly path: string;
  /** The events of one answer, as lines of a stream of server-sent events; a mark before what a test may want to wait at. */
  stream(step: ScriptedStep, count: number): Generator<WireEvent>;
  /** What its API would refuse about a request. */
  findProblems(body: RequestBody): string[];
  error(status: number, message: string): unknown;
  /** The same in the middle of a stream, where that looks otherwise. */
  streamError?(message: string): WireEvent;
}

export interface WireEvent {
  readonly data: string;
  readonly name?: string;
  readonly phase?: Phase;
}

export type Phase = "text" | "input" | "finish";

// biome-ignore lint/suspicious/noExplicitAny: a request is whatever came over the wire; the rules look into it freely
export type RequestBody = Record<string, any>;

/** In a few pieces, as a model writes. */
export function* piecesOf(text: string): Generator<string> {
  const size = Math.max(1, Math.ceil(text.length / 4));
  for (let start = 0; start < text.length; start += size) yield text.slice(start, start + size);
}

export function inputText(input: unknown): string {
  return typeof input === "string" ? input : JSON.stringify(input ?? {});
}

export function repeated(ids: readonly string[]): string[] {
  return ids.filter((id, place) => ids.indexOf(id) !== place).map((id) => `the id ${id} is used twice`);
}

export function isToolName(name: unknown): boolean {
  return typeof name === "string" && /^[a-zA-Z0-9_-]{1,64}$/.test(name);
}
