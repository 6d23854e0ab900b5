import { checkEcho, echo, echoInput, echoSchema } from "./echo.mjs";

/** Baselines: a call without any checks or records. */
export async function openFloors() {
  return [
    { name: "bare function", call: async () => checkEcho(await echo(echoInput)) },
    {
      name: "bare function + Zod parse",
      call: async () => checkEcho(await echo(echoSchema.parse(echoInput))),
    },
  ];
}
