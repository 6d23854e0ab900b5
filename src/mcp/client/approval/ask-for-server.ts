import { createLock } from "../../../shared/lock.ts";
import type { ToolContext } from "../../../tool/tool-context.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { Ask } from "../tools/elicitation.ts";

/** Asks a call's person in the name of a server: one question at a time, and not without end. */
export function askForServer(server: string, { ask }: Pick<ToolContext, "ask">): Ask {
  const oneAtATime = createLock();
  let questions = 0;
  return ({ text, ...form }, { signal }) =>
    oneAtATime(async () => {
      signal.throwIfAborted();
      questions += 1;
      if (questions > maxQuestions) throw tooMany(server);
      // Whoever is asked has to know who wants to know.
      return ask({ ...form, text: `The MCP server ${server} asks:\n${text}` }, { signal });
    });
}

const maxQuestions = 100;

function tooMany(server: string): ToolError {
  return new ToolError("nobody-to-ask", `the MCP server ${server} asks more than ${maxQuestions} questions`);
}
