import { runQuietly } from "../run-quietly.ts";

export const seatbeltFile = "/usr/bin/sandbox-exec";

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
