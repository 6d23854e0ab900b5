import { checkChoice } from "../../shared/options/option.ts";
import { type Mode, modes, narrowerMode } from "./decide.ts";

/** The mode of a session, which a person may change while it is open. */
export type SessionMode = ReturnType<typeof createSessionMode>;

/** The bounds are asked each time: policy files may change, and so may the mode of the session that spawned this one. */
export function createSessionMode(first: Mode, bounds: () => readonly (Mode | undefined)[]) {
  let chosen = first;
  return {
    /** The chosen mode, or the widest that holds now, if that is narrower. */
    get current(): Mode {
      return bounds().reduce<Mode>((mode, bound) => narrowerMode(mode, bound ?? mode), chosen);
    },
    choose(mode: Mode) {
      chosen = mode;
    },
  };
}

export function checkMode(mode: string): asserts mode is Mode {
  checkChoice("mode", mode, modes);
}
