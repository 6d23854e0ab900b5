import type { Taken } from "./exported-functions.ts";

/** What a function is given that takes nothing else: the text, or values with as much of it. */
export const givenValues: Readonly<Record<Taken, (text: string) => readonly unknown[]>> = {
  text: (text) => [text],
  bytes: (text) => [Buffer.from(text)],
  value: (text) => [text, { [text]: text }, piecesOf(text), namesOf(text)],
  schema: (text) => [
    { type: "object", description: text, properties: namesOf(text), required: piecesOf(text) },
    { enum: piecesOf(text) },
    { anyOf: piecesOf(text).map((piece) => ({ const: piece, title: piece })) },
  ],
};

/** As many as make up the text. */
export function piecesOf(text: string): string[] {
  return Array.from({ length: text.length / 10 }, (_, index) => text.slice(index * 10, index * 10 + 10));
}

/** An object with a name for each piece, all different. */
export function namesOf(text: string): Record<string, unknown> {
  return Object.fromEntries(piecesOf(text).map((piece, index) => [`${piece}${index}`, { type: "string" }]));
}

export function linesOf(text: string): string[] {
  return text.split("\n");
}
