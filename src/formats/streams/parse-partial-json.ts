import { maxArgumentCharacters } from "../read-arguments.ts";
import { type RepairedJson, repairJson } from "./repair-json.ts";

export interface PartialJson {
  readonly state: RepairedJson["state"];
  /** The certain part; absent if there is none. */
  readonly value?: unknown;
}

/** Reads a JSON text that may be incomplete, to show it while it is written. Never run a call with the result. */
export function parsePartialJson(text: string): PartialJson {
  if (text.length > maxArgumentCharacters) return { state: "broken" };
  const { state, text: repaired } = repairJson(text);
  return repaired === "" ? { state } : { state, value: JSON.parse(repaired) };
}
