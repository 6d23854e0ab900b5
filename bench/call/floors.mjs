import { checkEcho, echo, echoInput, echoSchema } from "./echo.mjs";

/** What a call costs when nothing governs it. */
export async function openFloors() {
  return [
    { name: "bare function", call: async () => checkEcho(await echo(echoInput)) },
    {
      name: "bare function + Zod parse",
      call: async () => checkEcho(await echo(echoSchema.parse(echoInput))),
    },
  ];
}
