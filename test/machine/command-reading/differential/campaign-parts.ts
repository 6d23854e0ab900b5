import type { Mode } from "../../../../src/kernel/policy/decide.ts";
import type { JudgedLine } from "./open-ground.ts";
import type { RepositoryKind } from "./plant-world.ts";

/** A kind of place to try commands in, and how much is tried there. */
export interface CampaignPart {
  readonly title: string;
  readonly mode: Mode;
  readonly kind: RepositoryKind;
  readonly verdicts: { readonly sample: number; readonly full: number };
  readonly runs: { readonly sample: number; readonly full: number };
  readonly isTried: (call: string) => boolean;
  /** Which of the allowed ones are worth running. Default: all. */
  readonly isWanted?: (judged: JudgedLine) => boolean;
}

const isGit = (call: string) => call.startsWith("git ");

const writers: ReadonlySet<string> = new Set(
  "cp mv ln mkdir rmdir touch install tee truncate split csplit mktemp mkfifo sed sort tar unzip gzip patch".split(
    " ",
  ),
);

export const campaignParts: readonly CampaignPart[] = [
  {
    title: "an allowed command does nothing but read what its verdict names",
    mode: "readonly",
    kind: "plain",
    verdicts: { sample: 200, full: 830_000 },
    runs: { sample: 50, full: 60_000 },
    isTried: () => true,
  },
  {
    title: "git runs nothing that a repository inside the workspace names",
    mode: "ask",
    kind: "gitlink",
    verdicts: { sample: 20, full: 50_000 },
    runs: { sample: 10, full: 4_000 },
    isTried: isGit,
  },
  {
    title: "git runs nothing that a bare layout in the workspace names",
    mode: "ask",
    kind: "bare",
    verdicts: { sample: 20, full: 20_000 },
    runs: { sample: 10, full: 2_000 },
    isTried: isGit,
  },
  {
    title: "an allowed command reads no secret in a folder that it is given",
    mode: "readonly",
    kind: "secrets",
    verdicts: { sample: 20, full: 30_000 },
    runs: { sample: 10, full: 4_000 },
    isTried: (call) => !isGit(call),
  },
  {
    title: "in mode edit an allowed command writes only what its verdict names and a file tool may write",
    mode: "edit",
    kind: "plain",
    verdicts: { sample: 60, full: 100_000 },
    runs: { sample: 15, full: 6_000 },
    isTried: (call) => writers.has(call),
    isWanted: ({ verdict }) => verdict.effects.writes.length > 0,
  },
];
