import { tool } from "@langchain/core/tools";
import { checkEcho, echo, echoDescription, echoInput, echoSchema } from "./echo.mjs";

export async function openLangChain() {
  const echoTool = tool(echo, { name: "echo", description: echoDescription, schema: echoSchema });
  return [{ name: "LangChain, tool.invoke", call: async () => checkEcho(await echoTool.invoke(echoInput)) }];
}
