import type { LoggedEventOf } from "../../kernel/events/session-event.ts";
import type { AgentRun } from "./agent-run.ts";
import { describeFolderNotes, givenNote, type ProjectNote } from "./context/project-notes.ts";

/** Adds news as further messages, so that the prompt only ever grows at its end. */
export function addReminders(run: AgentRun): void {
  const { host } = run;
  for (const news of host.agenda.takeNews()) remind(run, "agents", news);
  const reminder = host.agenda.takeReminder();
  if (reminder !== undefined) remind(run, "tasks", reminder);
}

/**
 * Adds the notes in the folders of files that the model has just worked on, at the end of the prompt like any reminder.
 */
export async function addNotes(run: AgentRun): Promise<void> {
  const { host, options, own, touched } = run;
  run.touched = [];
  if (!options.projectNotes) return;
  const notes = await host.notes.near(touched, (path) => own.notes.has(path));
  if (notes.length === 0) return;
  for (const { path } of notes) own.notes.add(path);
  remind(run, "notes", describeFolderNotes(notes), notes);
}

export function remind(
  { host, runId, transcript }: AgentRun,
  about: LoggedEventOf<"reminder-message">["about"],
  message: string,
  notes: readonly ProjectNote[] = [],
): void {
  // Well-formed, because providers refuse lone surrogates.
  const text = host.redactor.text(`[Reminder from Toolwright, not from the user] ${message}`).toWellFormed();
  transcript.addReminder(text);
  host.log.note({
    type: "reminder-message",
    runId,
    about,
    text,
    ...(notes.length > 0 && { notes: notes.map(givenNote) }),
  });
}
