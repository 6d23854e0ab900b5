import type { Gate } from "../../kernel/policy/index.ts";
import {
  acting,
  type Consent,
  methodKeys,
  type OpenService,
  type Service,
  type ServiceCall,
} from "../../kernel/services/index.ts";
import type { ProposalCount } from "../../kernel/session/index.ts";
import { foreign, value } from "../../shared/options/known-keys.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { MadeTools } from "./made-tools.ts";

export interface MadeServiceParts {
  readonly id: string;
  readonly madeTools: Pick<MadeTools, "propose" | "forgetSession">;
  readonly proposals: ProposalCount;
}

/** Lets an agent propose a tool that it has made. */
export const madeService: Service<"made", MadeServiceParts, OpenService<"made">> = {
  offers: "making tools",
  // The content is checked where it is proposed.
  keys: methodKeys<"made">(
    {
      propose: [
        0,
        {
          name: value,
          description: value,
          input: foreign,
          language: value,
          code: value,
          permissions: value,
          examples: foreign,
          timeoutMs: value,
        },
      ],
    },
    {},
  ),
  inPreview: "a preview makes no tools",
  open: ({ id, madeTools, proposals }) => ({
    forCall: (gate, call) =>
      acting({
        propose: (tool) =>
          madeTools.propose(tool, {
            madeBy: `${call.caller.kind} ${call.caller.name}`,
            sessionId: id,
            signal: call.deadline.signal,
            charge: proposals.charge,
            decide: (proposal) => decide(gate, call, proposal),
          }),
      }),
    close: () => madeTools.forgetSession(id),
  }),
};

/**
 * A rule of the user may approve a version, by naming exactly the file that it would have: one that allows more than that
 * was written before there was anything to look at. Otherwise a person is asked, in every mode. Where no person can be
 * asked, it stays a proposal.
 */
async function decide(
  gate: Gate,
  call: ServiceCall,
  { path, text }: { readonly path: string; readonly text: string },
): Promise<Consent | undefined> {
  const place = await gate.locate(path);
  try {
    await gate.write(place);
    const rule = gate.ruleNaming(place);
    if (rule !== undefined) return { decision: "allow", by: `rule ${rule}` };
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== "approval-needed") throw error;
  }
  return call.requestConsent(
    "made tool",
    `It passed its checks, and its examples ran in the sandbox. Approve to offer it in this project from now on, as ${path}:\n${text}`,
  );
}
