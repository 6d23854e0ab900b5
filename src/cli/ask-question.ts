import { escapeControls } from "../shared/escape-controls.ts";
import type { Question } from "../tool/tool-context.ts";
import { ToolError } from "../tool/tool-error.ts";
import { readAnswer } from "./read-answer.ts";

/** Puts a tool's question on the terminal until it has an answer that can be one, or the person leaves. */
export async function askQuestion(question: Question, signal: AbortSignal): Promise<string> {
  const { text, choices = [] } = question;
  const numbered = choices.map((choice, index) => `  ${index + 1}. ${shown(choice)}\n`);
  process.stderr.write(`${escapeControls(text)}\n${numbered.join("")}`);
  for (;;) {
    const typed = await readAnswer(promptOf(question), signal);
    if (typed === undefined) throw leftUnanswered();
    const answer = readTyped(typed.trim(), question);
    if (answer !== undefined) return answer;
    process.stderr.write("That is none of them; type a number or one of the answers.\n");
  }
}

function promptOf({ choices = [], default: suggested }: Question): string {
  const what = choices.length === 0 ? "Answer" : `1-${choices.length}`;
  return `${what}${suggested === undefined ? "" : ` [${shown(suggested)}]`}: `;
}

function shown(text: string): string {
  return escapeControls(text, { keepLines: false });
}

function readTyped(typed: string, { choices = [], default: suggested }: Question): string | undefined {
  if (typed === "" && suggested !== undefined) return suggested;
  if (choices.length === 0) return typed;
  const isMeant = (choice: string) => choice.toLowerCase() === typed.toLowerCase();
  const number = /^\d+$/.test(typed) ? Number(typed) : 0;
  return choices.find(isMeant) ?? choices[number - 1];
}

function leftUnanswered(): ToolError {
  return new ToolError("nobody-to-ask", "the person left the question without an answer", {
    hint: "Go on without the answer, or say what is missing.",
  });
}
