import { quoteControls } from "../../../shared/text/quote-controls.ts";

/** Something that a command has made or changed, and that runs or steers other programs later without being asked for. */
export interface PlantedEntry {
  /** Absolute. */
  readonly path: string;
  readonly kind:
    | "repository"
    | "bare-repository"
    | "submodule"
    | "settings"
    | "steps"
    | "head"
    | "unreadable";
}

const meanings: Record<PlantedEntry["kind"], string> = {
  repository: "a repository, whose settings git uses",
  "bare-repository": "laid out so that git takes it for a repository",
  submodule: "a submodule, whose settings git uses",
  settings: "settings that other programs read on their own",
  steps: "steps that git runs when a rebase or the like goes on",
  head: "was missing or unusable, so that git would have used another repository; it was put back",
  unreadable: "cannot be read as a whole, so that new submodules may be in it",
};

export function describePlanted({ path, kind }: PlantedEntry): string {
  return `${quoteControls(path)} (${meanings[kind]})`;
}
