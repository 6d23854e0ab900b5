import { checkChoice } from "../../shared/options/option.ts";
import { type Mode, modes, narrowerMode } from "./decide.ts";

/** The mode of a session, which a person may change while it is open. */
export interface SessionMode {
  /** The chosen mode, or the widest that holds now, if that is narrower. */
  readonly current: Mode;
  choose(mode: Mode): void;
}

type Bound = Mode | undefined;

/** The bounds are asked each time: policy files may change, and so may the mode of the session that spawned this one. */
export function createSessionMode(first: Mode, bounds: () => readonly Bound[]): SessionMode {
  let chosen = first;
  return {
    get current() {
      return bounds().reduce<Mode>((mode, bound) => narrowerMode(mode, bound ?? mode), chosen);
    },
    choose(mode) {
      chosen = mode;
    },
  };
}

export function checkMode(mode: string): asserts mode is Mode {
  checkChoice("mode", mode, modes);
}
