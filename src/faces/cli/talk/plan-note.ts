/** Tells the model what a plan is, with every message in plan mode. */
export const planNote =
  "[Plan mode: only read and search; nothing can be changed now. Write your plan to the list of todos, one entry per step, explain it briefly, and stop. The user then decides whether it is carried out.]";

/** Takes our note from the person's message. */
export function withoutPlanNote(text: string): string {
  return text.endsWith(planNote) ? text.slice(0, -planNote.length).trimEnd() : text;
}
