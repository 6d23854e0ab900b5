import { profileEnvironment } from "../profile-environment.ts";
import { runQuietly } from "../run-quietly.ts";
import type { Confining } from "../sandbox.ts";
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

const seatbeltFile = "/usr/bin/sandbox-exec";

/** Why the macOS sandbox does not work here; undefined if it does. */
export async function probeSeatbelt(): Promise<string | undefined> {
  const failure = await runQuietly({
    file: seatbeltFile,
    args: ["-p", "(version 1)(allow default)", "/usr/bin/true"],
    environment: {},
    descriptors: [],
    release: async () => {},
  });
  return failure && `${seatbeltFile} does not work here: ${failure}`;
}
