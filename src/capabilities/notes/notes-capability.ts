import { join } from "node:path";
import type { TaintSource } from "../../kernel/policy/index.ts";
import { capability } from "../../kernel/runtime/index.ts";
import { acting, type OpenService, type Service } from "../../kernel/services/index.ts";
import type { SessionTaint } from "../../kernel/session/index.ts";
import { readOwnFile, updateOwnFile } from "../../machine/locks/index.ts";
import { isoTime } from "../../shared/iso-time.ts";
import type { Redactor } from "../../shared/secrets/redact.ts";
import type { KeptNote } from "../../tool/services/notes.ts";
import reflect from "./tools/project/reflect.ts";

interface NotesParts {
  readonly projectFolder: string;
  readonly redactor: Pick<Redactor, "text">;
  readonly taint: Pick<SessionTaint, "list" | "add">;
}

interface StoredNote extends KeptNote {
  /** The untrusted content that the session had read when it kept the note. */
  readonly taint: readonly TaintSource[];
}

/** Keeps notes in the project's state, where later sessions find them. */
const notesService: Service<"notes", NotesParts, OpenService<"notes">> = {
  offers: "notes for later sessions",
  inPreview: "a preview keeps no notes",
  open: ({ projectFolder, redactor, taint }) => {
    const file = join(projectFolder, "notes.json");
    return {
      forCall: (_gate, { id, caller }) => ({
        ...acting({
          async keep(text: string, tags: readonly string[] = []) {
            const note: StoredNote = {
              text: redactor.text(text),
              tags: tags.map(redactor.text),
              by: `${caller.kind} ${caller.name}`,
              keptAt: isoTime(),
              taint: taint.list(),
            };
            await updateOwnFile(file, (kept) =>
              JSON.stringify([...parseNotes(kept, file), note].slice(-maxNotes)),
            );
          },
        }),
        async find(query: string) {
          const found = rank(parseNotes(await readOwnFile(file), file), query);
          // A note must not make untrusted content look like the project's own.
          const sources = found.flatMap((note) => note.taint);
          if (sources.length > 0) await taint.add(sources, id);
          return found.map(({ taint: _taint, ...note }) => note);
        },
      }),
    };
  },
};

/** Notes for later sessions of the project. */
export const notesCapability = capability({
  name: "notes",
  services: { notes: notesService },
  tools: [reflect],
  open: () => ({
    session: async (session) => ({ services: { notes: await notesService.open(session) } }),
  }),
});

const maxNotes = 500;
const maxFound = 10;

function parseNotes(text: string | undefined, file: string): readonly StoredNote[] {
  if (text === undefined) return [];
  try {
    return JSON.parse(text) as readonly StoredNote[];
  } catch (cause) {
    throw new Error(`${file} is damaged; delete it to begin with no notes`, { cause });
  }
}

/** The notes with words of the query: those with most of them first, and among equals the newest first. */
function rank(notes: readonly StoredNote[], query: string): readonly StoredNote[] {
  const words = wordsOf(query);
  return notes
    .map((note) => {
      const own = new Set(wordsOf(`${note.text} ${note.tags.join(" ")}`));
      return { note, score: words.filter((word) => own.has(word)).length };
    })
    .filter(({ score }) => score > 0)
    .reverse()
    .sort((one, other) => other.score - one.score)
    .slice(0, maxFound)
    .map(({ note }) => note);
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
