import { maxArgumentCharacters } from "../read-arguments.ts";
import { type RepairedJson, repairJson } from "./repair-json.ts";

export interface PartialJson {
  readonly state: RepairedJson["state"];
  /** What is there for certain; absent where that is nothing. */
  readonly value?: unknown;
}

/** Reads a JSON text that may not be complete, to show it while it is being written. Never run anything with it. */
export function parsePartialJson(text: string): PartialJson {
  if (text.length > maxArgumentCharacters) return { state: "broken" };
  const { state, text: repaired } = repairJson(text);
  return repaired === "" ? { state } : { state, value: JSON.parse(repaired) };
}
