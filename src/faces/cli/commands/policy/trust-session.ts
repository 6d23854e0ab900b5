import { openSessionTrust, type SessionTrust } from "../../../../kernel/session/index.ts";
import type { Store } from "../../../../kernel/store/index.ts";
import { countOf } from "../../../../shared/text/count-of.ts";
import { escapeLine } from "../../../../shared/text/escape-controls.ts";
import { labelRows, ownRows } from "../../../../shared/text/mark-rows.ts";
import { confirmShown } from "../../ask/confirm.ts";
import { type ExitCode, exitCodes, type Invocation, unknownSession } from "../../command.ts";
import { withStore } from "../../open/with-store.ts";
import { currentPerson } from "../../terminal/current-person.ts";

/** Runs `trust --session`: a person vouches for all that a session has read. It may be open in another process. */
export function trustSession(id: string, { flags, output }: Invocation): Promise<ExitCode> {
  const trustIn = async (store: Store) => {
    const isKnown = (await store.listSessions()).some((session) => session.id === id);
    if (!isKnown) throw unknownSession(id);
    const trust = await openSessionTrust(store, id);
    const { sources, sessions } = trust;
    const hasRead = sources.length > 0;
    const format = (columns: number) => describe(id, trust, columns);
    const isAgreed = !hasRead || flags.yes === true;
    const isWanted = await confirmShown(format, "Trust what it has read?", { flags, output }, isAgreed);
    if (isWanted) await trust.give(currentPerson().name);
    if (flags.json) await output.writeJson({ session: id, sessions, sources, trusted: isWanted });
    else if (hasRead && isWanted) await output.write("It is trusted, until the session reads more.\n");
    else if (hasRead) await output.tell("Not trusted. To trust it, answer y at a terminal, or add --yes.");
    return isWanted ? exitCodes.done : exitCodes.denied;
  };
  return withStore(flags, trustIn, { isToWrite: true });
}

function describe(id: string, { sources, sessions }: SessionTrust, columns: number): string[] {
  const others = sessions.length - 1;
  const shared = others === 0 ? "" : ` with ${countOf(others, "session")} of the same agents`;
  if (sources.length === 0)
    return ownRows(`Session ${escapeLine(id)} has read nothing that needs trust.`, columns);
  return [
    ...ownRows(`Session ${escapeLine(id)}${shared} has read:`, columns),
    ...sources.flatMap(({ kind, name }) => labelRows(`  ${kinds[kind]}`, name, columns)),
  ];
}

const kinds = { web: "from", mcp: "results of", command: "by a command, from", outside: "the file" } as const;
