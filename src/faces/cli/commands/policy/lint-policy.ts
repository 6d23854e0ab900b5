import {
  adviseOnRules,
  type PolicyFile,
  PolicyFileError,
  parseRule,
  type Rule,
  type RuleLists,
  type RuleNames,
} from "../../../../kernel/policy/index.ts";
import { openRuleNames } from "../../../../open-runtime.ts";
import { escapeLine } from "../../../../shared/text/escape-controls.ts";
import { type ExitCode, exitCodes, type Invocation } from "../../command.ts";
import { asUsage } from "../../open/as-usage.ts";
import { optionsFromFlags } from "../../open/options-from-flags.ts";
import { policyFilesFor, problemOfRule, rootOf } from "./policy-files.ts";

interface LintFinding {
  readonly file: string;
  readonly line?: number;
  readonly rule?: string;
  readonly kind: "invalid" | "unknown" | "shadowed" | "repeated" | "wide" | "unclear";
  readonly message: string;
}

/** Reports everything about the rules of policy files that their author should know. */
export async function lintPolicy({ arguments: named, flags, output }: Invocation): Promise<ExitCode> {
  const options = await optionsFromFlags(flags);
  const root = await rootOf(options);
  const files = await policyFilesFor(named, root);
  const { names, close } = await asUsage(() => openRuleNames(options));
  const findings = await lintFiles(files, { names, root }).finally(close);
  if (flags.json) await output.writeJson(findings);
  else {
    for (const { file, line, kind, rule, message } of findings) {
      const place = line === undefined ? "" : `${file}:${line}: `;
      const subject = rule === undefined ? "" : `${rule}: `;
      await output.write(`${escapeLine(`${place}${kind}: ${subject}${message}`)}\n`);
    }
    if (files.length === 0) await output.tell("there is no policy file");
    else if (findings.length === 0) await output.tell("no problems");
  }
  return findings.length > 0 ? exitCodes.failed : exitCodes.done;
}

async function lintFiles(
  files: readonly (PolicyFile | PolicyFileError)[],
  { names, root }: { names: RuleNames; root: string },
): Promise<readonly LintFinding[]> {
  const findings: LintFinding[] = [];
  const rules: Record<keyof RuleLists, Rule[]> = { allow: [], ask: [], deny: [] };
  for (const file of files) {
    if (file instanceof PolicyFileError) {
      findings.push({ file: "", kind: "invalid", message: file.message });
      continue;
    }
    for (const list of ["deny", "ask", "allow"] as const) {
      for (const { text, line } of file[list]) {
        const place = { file: file.path, line, rule: text };
        const onUnknown = (message: string) => findings.push({ ...place, kind: "unknown", message });
        try {
          const where = { where: "", names, isAllowing: list === "allow", onUnknown };
          const rule = await parseRule(text, where);
          rules[list].push({ ...rule, origin: { scope: "project", file: file.path, line } });
        } catch (error) {
          findings.push({ ...place, kind: "invalid", message: problemOfRule(error) });
        }
      }
    }
  }
  const advice = adviseOnRules(rules, { tools: names.tools(), root });
  return [
    ...findings,
    ...advice.map(({ kind, rule: { source, origin }, message }) => ({
      file: origin!.file,
      line: origin!.line,
      rule: source,
      kind,
      message,
    })),
  ];
}
