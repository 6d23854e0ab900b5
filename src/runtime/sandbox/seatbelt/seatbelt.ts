import { profileEnvironment } from "../profile-environment.ts";
import type { Sandbox } from "../sandbox.ts";
import { seatbeltFile } from "./probe-seatbelt.ts";
import { type SeatbeltBounds, seatbeltProfile } from "./seatbelt-profile.ts";

/** Commands under macOS's own rules. A kept one is not tied to us there, nor is any other. */
export function createSeatbelt(bounds: SeatbeltBounds): Sandbox {
  return {
    kind: "seatbelt",
    wrap: async ({ file, args, environment }, box) => ({
      file: seatbeltFile,
      args: ["-p", seatbeltProfile(box, bounds), file, ...args],
      environment: profileEnvironment(environment, box.profile),
      descriptors: [],
      release: async () => {},
    }),
  };
}
