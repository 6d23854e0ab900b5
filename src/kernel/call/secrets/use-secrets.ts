import { createNameTest } from "../../../shared/glob/name-test.ts";
import { fillSecrets, secretNamesIn } from "../../../shared/secrets/secret-names.ts";
import type { SecretSource } from "../../../shared/secrets/secret-options.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { createSecretHostTest, type SecretTarget } from "../../policy/index.ts";
import { type ResolvedCall, toolOf } from "../call.ts";
import { declaredBy } from "../judge-call.ts";
import type { Stage } from "../stages/stage.ts";

/** Names of secrets are checked before the verdict, and their values read after it. */
export const secrets: Stage = {
  before(call) {
    const names = checkSecrets(call);
    if (names.length > 0 && !call.request.isDryRun) call.secretNames = names;
  },
  allowed: (call) => (call.secretNames === undefined ? undefined : readSecrets(call, call.secretNames)),
};

/**
 * Before the call is judged: throws for a secret that is not known, not for this tool, or not for where it would go.
 * Returns the names of the others.
 */
function checkSecrets(call: ResolvedCall): readonly string[] {
  const names = passesOn(call) ? secretNamesIn(call.input) : [];
  for (const name of names) {
    const source = sourceOf(call, name);
    if (source === undefined) throw unknownSecret(call, name);
    if (!isForTool(call, source))
      throw new ToolError("permission-denied", `${call.resolved.spokenName} may not use the secret ${name}`, {
        hint: "Each secret names the tools it is for. Use one of those, or ask the user.",
      });
    checkDeclared(call, name, source);
  }
  return names;
}

/** After the call was let run: reads the values that it needs. */
async function readSecrets(call: ResolvedCall, names: readonly string[]): Promise<void> {
  const values = new Map<string, string>();
  for (const name of names) {
    const value = await call.host.stages.secrets.read(name, call.deadline.signal).catch((cause: Error) => {
      throw new ToolError("unavailable", `the secret ${name} cannot be read: ${cause.message}`, {
        hint: "Nothing was run. Ask the user to look at where it comes from.",
      });
    });
    values.set(name, value);
  }
  call.secrets = values;
}

/**
 * The input that the tool's `run` gets. Built-in tools pass the names on, and services put in the values at the last
 * moment.
 */
export function inputForTool(call: ResolvedCall): unknown {
  if (call.secrets === undefined || isOwn(call) || toolOf(call).traits.runsCommands) return call.input;
  return fillSecrets(call.input, call.secrets);
}

/** Whether the tool may do anything with a secret; in the others, such as those for files, the name is just text. */
function passesOn(call: ResolvedCall): boolean {
  const { runsCommands, needs = [] } = toolOf(call).traits;
  return !isOwn(call) || runsCommands || needs.includes("network");
}

function isOwn({ resolved }: ResolvedCall): boolean {
  return resolved.entry.layer === "builtin";
}

function sourceOf({ host }: ResolvedCall, name: string): SecretSource | undefined {
  const { sources } = host.stages.secrets;
  return Object.hasOwn(sources, name) ? sources[name] : undefined;
}

function unknownSecret({ host }: ResolvedCall, name: string): ToolError {
  const known = Object.keys(host.stages.secrets.sources);
  const hint =
    known.length === 0
      ? "None is declared; the user can do that in secretSources."
      : `Known: ${known.join(", ")}.`;
  return new ToolError("invalid-input", `there is no secret named ${JSON.stringify(name)}`, { hint });
}

function isForTool({ resolved, host }: ResolvedCall, { tools }: SecretSource): boolean {
  const { name } = resolved.entry;
  const canonical = tools.flatMap((tool) => host.dialect.resolve(tool)?.entry.name ?? []);
  const matches = createNameTest([...tools, ...canonical]);
  return matches(name) || matches(resolved.spokenName);
}

/**
 * A secret with hosts may be sent only there. So it is refused to calls that may send it anywhere: commands, whose
 * programs are free to do so, and tools that do not declare where they connect.
 */
function checkDeclared(call: ResolvedCall, name: string, { hosts }: SecretSource): void {
  const requests = declaredBy(call).requests;
  const reached = requests.filter(({ action }) => action === "network");
  if (hosts === undefined && !isOwnOnNetwork(call)) return;
  if (hosts !== undefined && (reached.length === 0 || requests.some(({ action }) => action === "execute"))) {
    const may = `${call.resolved.spokenName} may send it anywhere`;
    throw new ToolError("permission-denied", `the secret ${name} is for ${hosts.join(", ")}, and ${may}`, {
      hint: "Send it with a tool for requests to the web, or ask the user, who can declare one without hosts for this tool.",
    });
  }
  for (const { target = "*", isEncrypted = false } of reached)
    refuseHost(name, hosts, { host: target, isEncrypted });
}

/** Throws if the call has a secret that is not for this host, whatever it is going to send there. */
export function holdSecrets(call: ResolvedCall, target: SecretTarget): void {
  for (const name of call.secrets?.keys() ?? []) {
    const { hosts } = sourceOf(call, name)!;
    if (hosts !== undefined || isOwnOnNetwork(call)) refuseHost(name, hosts, target);
  }
}

function isOwnOnNetwork(call: ResolvedCall): boolean {
  return isOwn(call) && toolOf(call).traits.needs?.includes("network") === true;
}

function refuseHost(name: string, hosts: readonly string[] | undefined, target: SecretTarget): void {
  const isFor = createSecretHostTest(hosts ?? [], `secretSources.${name}`);
  if (isFor(target)) return;
  const isPlain = !target.isEncrypted && isFor({ ...target, isEncrypted: true });
  const how = isPlain ? ", as far as known without encryption" : "";
  throw new ToolError("permission-denied", `the secret ${name} may not be sent to ${target.host}${how}`, {
    hint:
      hosts === undefined
        ? "It names no hosts."
        : `It is for ${hosts.join(", ")}${isPlain ? ", by https" : ""}.`,
  });
}
