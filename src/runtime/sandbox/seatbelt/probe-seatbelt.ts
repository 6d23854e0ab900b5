import { runQuietly } from "../run-quietly.ts";

export const seatbeltFile = "/usr/bin/sandbox-exec";

/** Why macOS's own sandbox does not work here, if so. */
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
