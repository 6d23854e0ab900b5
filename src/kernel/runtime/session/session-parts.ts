import { closeServices, type OpenedTable } from "../../services/index.ts";
import { broughtBy, type RuntimePart } from "../capability.ts";
import type { OpeningSession, SessionAgenda } from "./opening-session.ts";
import type { SessionPart } from "./session-part.ts";

/** Opens the capabilities of a session in the order of their list. Each sees the parts of those before it. */
export async function openParts(
  capabilities: readonly RuntimePart[],
  session: Omit<OpeningSession, "background" | "shell">,
): Promise<readonly SessionPart[]> {
  const parts: SessionPart[] = [];
  try {
    for (const { session: open } of capabilities) {
      const [shell] = broughtBy(parts, "shell");
      const part = await open?.({ ...session, shell, background: broughtBy(parts, "background") });
      if (part !== undefined) parts.push(part);
    }
  } catch (error) {
    await closeParts(parts).catch(() => {});
    throw error;
  }
  return parts;
}

/** Closes in reverse order, so that none outlives one that it uses. Closes all even if one fails, then throws. */
export async function closeParts(parts: readonly SessionPart[]): Promise<void> {
  await closeServices(parts.flatMap((part) => [...Object.values(part.services ?? {}), part]));
}

export function servicesOf(parts: readonly SessionPart[]): OpenedTable {
  return Object.assign({}, ...broughtBy(parts, "services"));
}

/** The work that is still to be done, as all parts know it. */
export function agendaOf(parts: readonly SessionPart[]): SessionAgenda {
  const agendas = broughtBy(parts, "agenda");
  const join = (texts: readonly (string | undefined)[]) =>
    texts.filter((text) => text !== undefined).join("\n") || undefined;
  return {
    openWork: async () => join(await Promise.all(agendas.map((agenda) => agenda.openWork()))),
    takeReminder: () => join(agendas.map((agenda) => agenda.takeReminder())),
  };
}
