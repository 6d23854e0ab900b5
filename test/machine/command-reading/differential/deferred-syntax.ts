import { deferredTexts } from "./defer-bash.ts";

/** In place of the runtime's own where bash is asked later. */
export async function checkSyntax(text: string): Promise<"ok" | "error" | "unknown"> {
  const texts = deferredTexts.getStore();
  if (texts === undefined) {
    const { checkSyntax: check } = await import("../../../../src/machine/shell-syntax/bash-oracle.ts");
    return check(text);
  }
  texts.push(text);
  return "ok";
}
