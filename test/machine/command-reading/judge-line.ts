import { posix } from "node:path";
import { isProtectedName } from "../../../src/kernel/policy/paths/judge-path.ts";
import {
  createMachineFacts,
  type MachineFacts,
} from "../../../src/machine/command-reading/facts/machine-facts.ts";
import { type CommandJudgement, judgeCommands } from "../../../src/machine/command-reading/judge-commands.ts";
import { isHarmless } from "../../../src/machine/command-reading/other-effects.ts";
import { readNested } from "../../../src/machine/command-reading/read-nested.ts";
import { isKnownProgram } from "../../../src/machine/command-reading/tables/index.ts";
import { relativeInside } from "../../../src/shared/relative-inside.ts";
import { putFiles, temporaryFolder } from "../../support/temporary-folder.ts";

export interface JudgedLine {
  readonly isAllowed: boolean;
  readonly reasons: readonly string[];
  readonly judgement: CommandJudgement;
}

/** The whole way of a command line, with a plain stand-in for the workspace's own judgement of paths. */
export async function judgeLine(line: string, world: MachineFacts): Promise<JudgedLine> {
  const script = await readNested(line, {
    isKnownProgram,
    known: { HOME: "/home/somebody", PWD: world.directory },
  });
  const judgement = await judgeCommands(script, world);
  const reasons = [
    ...script.problems.map(({ reason }) => reason),
    ...judgement.commands.flatMap(({ effects, reason }) => [
      ...(isHarmless(effects) ? [] : [reason]),
      ...effects.reads.flatMap((path) => refusal(path, world) ?? []),
    ]),
  ];
  return { isAllowed: reasons.length === 0, reasons, judgement };
}

function refusal(path: string, { root }: MachineFacts): string | undefined {
  const inside = relativeInside(root, posix.normalize(path));
  if (inside === undefined) return `${path} is outside`;
  return inside.split("/").some((name) => sensitiveNames.test(name)) ? `${path} is sensitive` : undefined;
}

const sensitiveNames =
  /^(?:\.env(?!\.(?:example|sample|template)$).*|.*\.pem|id_.*|\.npmrc|\.git-credentials|\.netrc|\.aws|\.ssh)$/;

/** A world of real files: a workspace with a plain repository and what else is asked for. */
export async function openWorld(files: Readonly<Record<string, string>> = {}): Promise<MachineFacts> {
  const directory = temporaryFolder("toolwright-commands-");
  putFiles(directory, {
    ".git/HEAD": "ref: refs/heads/main\n",
    ".git/config": plainConfig,
    ".git/objects/pack/x": "",
    ".git/refs/heads/x": "",
    ...files,
  });
  return worldAt(directory);
}

const plainConfig = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = false
\tlogallrefupdates = true
[remote "origin"]
\turl = git@example.org:team/project.git
\tfetch = +refs/heads/*:refs/remotes/origin/*
[branch "main"]
\tremote = origin
\tmerge = refs/heads/main
[user]
\tname = Somebody
`;

function worldAt(directory: string): MachineFacts {
  const facts = createMachineFacts({ directory, workspace: directory, environment: {}, isProtectedName });
  return { ...facts, hasOwnHome: async () => true };
}
