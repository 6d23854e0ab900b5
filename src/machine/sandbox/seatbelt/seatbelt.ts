import { profileEnvironment } from "../profile-environment.ts";
import type { Confining } from "../sandbox.ts";
import { seatbeltFile } from "./probe-seatbelt.ts";
import { type SeatbeltBounds, seatbeltProfile } from "./seatbelt-profile.ts";

/** Runs commands in the macOS sandbox. Unlike with bubblewrap, no command ends by itself when we do. */
export function createSeatbelt(
  bounds: SeatbeltBounds,
  findPublic: () => Promise<ReadonlySet<string>>,
): Confining {
  return {
    kind: "seatbelt",
    wrap: async ({ file, args, environment }, box) => ({
      file: seatbeltFile,
      isSandbox: true,
      args: [
        "-p",
        seatbeltProfile(box, { ...bounds, publicFiles: [...(await findPublic())] }),
        file,
        ...args,
      ],
      environment: profileEnvironment(environment, box),
      descriptors: [],
      release: async () => {},
    }),
  };
}
