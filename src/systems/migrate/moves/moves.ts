import type { SystemName } from "../migration.ts";
import { ekoMove } from "./eko-move.ts";
import { flytoMove } from "./flyto-move.ts";
import { internalMove } from "./internal-move.ts";
import { kodeMove } from "./kode-move.ts";
import type { Move } from "./move.ts";
import { pulseMove } from "./pulse-move.ts";

export const moves: Readonly<Record<SystemName, Move>> = {
  kode: kodeMove,
  eko: ekoMove,
  pulse: pulseMove,
  internal: internalMove,
  flyto: flytoMove,
};
