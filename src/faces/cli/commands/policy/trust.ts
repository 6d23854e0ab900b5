import { realpath } from "node:fs/promises";
import {
  isTrusted,
  type PolicyFile,
  policyPlaces,
  projectPolicyFile,
  readPolicyFile,
  readTrust,
  revokeTrust,
  trustProject,
} from "../../../../kernel/policy/index.ts";
import { countOf } from "../../../../shared/text/count-of.ts";
import { escapeLine } from "../../../../shared/text/escape-controls.ts";
import { labelRows, ownRows } from "../../../../shared/text/mark-rows.ts";
import { confirmShown } from "../../ask/confirm.ts";
import { type Command, type ExitCode, exitCodes, type Invocation, UsageError } from "../../command.ts";
import { findProjectConfig, projectConfigFile, readProjectConfig } from "../../config/config-layers.ts";
import { formatColumns } from "../../display/format-columns.ts";
import { asUsage } from "../../open/as-usage.ts";
import { optionsFromFlags } from "../../open/options-from-flags.ts";
import type { CommandOutput } from "../../terminal/command-output.ts";

export default {
  flags: ["yes", "revoke", "list"],
  example: "--list",
  isForPerson: true,
  note: `Until then, the project's .toolwright/policy.json and .toolwright/config.json can only deny and ask. Trust ends when
the file changes.
--session trusts what that session has read so far instead: web pages, results of servers, files from elsewhere. Sending
data out, and writing files that others run, then needs no more approval than before the session read them.`,

  async run(invocation) {
    const { flags } = invocation;
    if (flags.session !== undefined) {
      if (flags.revoke || flags.list) throw new UsageError("--session goes with neither --revoke nor --list");
      const { trustSession } = await import("./trust-session.ts");
      return trustSession(flags.session, invocation);
    }
    const { trust } = policyPlaces();
    if (flags.list) return listTrusted(trust, invocation);
    const { workspace } = flags.config === undefined ? flags : await optionsFromFlags(flags);
    const root = await realpath(typeof workspace === "object" ? workspace.root : (workspace ?? "."));
    return flags.revoke ? revoke(trust, root, invocation) : decideTrust(trust, root, invocation);
  },
} satisfies Command;

async function listTrusted(trust: string, { flags, output }: Invocation): Promise<undefined> {
  const projects = await readTrust(trust);
  if (flags.json) await output.writeJson(projects);
  else if (projects.length === 0) await output.tell("no project is trusted");
  else {
    const rows = projects.map(({ root, trustedAt }) => [escapeLine(root), `since ${trustedAt.slice(0, 10)}`]);
    await output.write(`${await formatColumns(rows)}\n`);
  }
}

async function revoke(trust: string, root: string, { flags, output }: Invocation): Promise<undefined> {
  const trusted = [root, await findProjectConfig(root)].filter((path) => path !== undefined);
  const wasTrusted = await revokeTrust(trust, trusted);
  if (flags.json) await output.writeJson({ root, trusted: false, wasTrusted });
  else await output.write(`${escapeLine(root)} is ${wasTrusted ? "no longer" : "not"} trusted.\n`);
}

async function decideTrust(trust: string, root: string, { flags, output }: Invocation): Promise<ExitCode> {
  const files = [await findPolicy(root), await findConfig(root)].filter((file) => file !== undefined);
  if (files.length === 0)
    throw new UsageError(
      `there is nothing to trust: neither ${projectPolicyFile(root)} nor ${projectConfigFile(root)} exists`,
    );
  const known = await Promise.all(files.map(({ root, hash }) => isTrusted(trust, { root, hash })));
  const wasTrusted = known.every(Boolean);
  const question = files.length === 1 ? "Trust this file?" : "Trust these files?";
  const format = (columns: number) => files.flatMap((file) => file.format(columns));
  const isAgreed = wasTrusted || flags.yes === true;
  const isWanted = await confirmShown(format, question, { flags, output }, isAgreed);
  if (isWanted) for (const { root, hash } of files) await trustProject(trust, { root, hash });
  if (flags.json) {
    const brought = Object.assign({}, ...files.map(({ asJson }) => asJson));
    await output.writeJson({ root, trusted: isWanted, wasTrusted, ...brought });
  } else await tellOutcome({ isWanted, wasTrusted, count: files.length }, output);
  return isWanted ? exitCodes.done : exitCodes.denied;
}

/** Finds the project's policy file, which counts in full only once it is trusted. */
async function findPolicy(root: string) {
  const path = projectPolicyFile(root);
  const file = await asUsage(() => readPolicyFile(path));
  if (file === undefined) return undefined;
  const { hash, mode, maxMode } = file;
  const allow = file.allow.map(({ text }) => text);
  return {
    root,
    hash,
    format: (columns: number) => describe(file, columns),
    asJson: { file: path, allow, mode, maxMode },
  };
}

/** Finds the project's configuration, which counts in full only once it is trusted by its own path. */
async function findConfig(root: string) {
  const found = await readProjectConfig(root);
  if (found === undefined) return undefined;
  const { file: path, options, hash } = found;
  const format = (columns: number) => {
    const set = Object.entries(options).flatMap(([name, value]) =>
      labelRows(`  sets ${name}:`, JSON.stringify(value), columns),
    );
    if (set.length === 0) set.push("  sets nothing");
    return [...ownRows(escapeLine(path), columns), ...set];
  };
  return { root: path, hash, format, asJson: { config: path, sets: options } };
}

/** Describes a policy file in rows that none of its rules can leave. */
function describe({ path, allow, ask, deny, mode }: PolicyFile, columns: number): string[] {
  const others = ask.length + deny.length;
  const effect = allow.flatMap(({ text }) => labelRows("  lets run unasked:", text, columns));
  if (mode !== undefined) effect.unshift(`  sets the mode of new sessions to ${mode}`);
  if (effect.length === 0) effect.push("  allows nothing");
  if (others > 0)
    effect.push(
      `${countOf(others, "other rule")}, which only ${others === 1 ? "asks or denies, is" : "ask and deny, are"} in effect without trust.`,
    );
  return [...ownRows(escapeLine(path), columns), ...effect];
}

async function tellOutcome(
  { isWanted, wasTrusted, count }: { isWanted: boolean; wasTrusted: boolean; count: number },
  output: CommandOutput,
): Promise<void> {
  const [subject, it] = count === 1 ? ["It is", "it"] : ["They are", "them"];
  if (wasTrusted) await output.write(`${subject} trusted already.\n`);
  else if (isWanted)
    await output.write(
      `${subject} trusted from now on, until ${count === 1 ? "it changes" : "one of them changes"}.\n`,
    );
  else await output.tell(`Not trusted. To trust ${it}, answer y at a terminal, or add --yes.`);
}
