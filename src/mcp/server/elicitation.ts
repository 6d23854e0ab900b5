import type { ClientCapabilities, ElicitRequestFormParams, InputRequest } from "@modelcontextprotocol/server";
import type { ApprovalDecision, ApprovalRequest } from "../../runtime/permissions/approvals.ts";
import { formatApproval } from "../../runtime/permissions/format-approval.ts";
import { cutMiddle } from "../../shared/cut-middle.ts";
import { isPlainObject } from "../../shared/json.ts";
import type { Question } from "../../tool/tool-context.ts";
import { ToolError } from "../../tool/tool-error.ts";

/** Something a person is asked through the client, and how to read what comes back. */
export interface Form<Answer> {
  /** Under which the client answers. */
  readonly key: string;
  readonly request: InputRequest;
  /** An answer that came with the call itself counts. */
  readonly mayBeAnsweredAhead: boolean;
  read(response: unknown): Reading<Answer>;
}

/** An answer, a person's refusal to give one, or undefined where it is neither. */
type Reading<Answer> = { readonly answer: Answer } | { readonly refusal: Error } | undefined;

/** A client that only opens addresses cannot put a question. */
export function canElicit(capabilities: ClientCapabilities | undefined): boolean {
  const { elicitation } = capabilities ?? {};
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

/** Only a clear "allow" allows: a client that accepts whatever it is shown has decided nothing. */
export function approvalForm(request: ApprovalRequest, client: string): Form<ApprovalDecision> {
  const by = `a person at ${client}`;
  const decision = { type: "string" as const, title: "Allow it this once?", enum: ["allow", "deny"] };
  const message = cutMiddle(formatApproval(request).trim(), approvalLimit).text;
  return {
    key: "approval",
    request: elicit(message, { decision }),
    // Nobody can have allowed what they have not been shown.
    mayBeAnsweredAhead: false,
    read(response) {
      const view = readResponse(response);
      if (view === undefined) return undefined;
      if (view.action !== "accept") return { answer: { decision: "deny", by, note: view.action } };
      return { answer: { decision: view.content.decision === "allow" ? "allow" : "deny", by } };
    },
  };
}

const approvalLimit = {
  maxCharacters: 20_000,
  headShare: 0.8,
  note: "the middle is left out; allow it only if you know it",
};

/** The answer as text; a person who would rather not answer ends the tool's waiting. */
export function questionForm(question: Question): Form<string> {
  const { text, choices = [], name = "answer", default: suggested } = question;
  const field = {
    type: "string" as const,
    ...(choices.length > 0 && { enum: [...choices] }),
    ...(suggested !== undefined && { default: suggested }),
  };
  return {
    key: name,
    request: elicit(text, { [name]: field }),
    mayBeAnsweredAhead: true,
    read(response) {
      const view = readResponse(response);
      if (view === undefined) return undefined;
      if (view.action !== "accept") return { refusal: unanswered(view.action) };
      // Whoever accepts and changes nothing means what was suggested.
      const isUntouched = Object.keys(view.content).length === 0;
      const answer = isUntouched ? suggested : readAnswer(view.content, name);
      if (answer === undefined || (choices.length > 0 && !choices.includes(answer))) return undefined;
      return { answer };
    },
  };
}

function elicit(message: string, properties: FormProperties): InputRequest {
  const requestedSchema = { type: "object" as const, properties, required: Object.keys(properties) };
  return { method: "elicitation/create", params: { message, requestedSchema } };
}

type FormProperties = ElicitRequestFormParams["requestedSchema"]["properties"];

interface ResponseView {
  readonly action: string;
  readonly content: Record<string, unknown>;
}

function readResponse(response: unknown): ResponseView | undefined {
  if (!isPlainObject(response) || typeof response.action !== "string") return undefined;
  const { action, content } = response;
  return { action, content: isPlainObject(content) ? content : {} };
}

/** Some clients give the only field a name of their own. */
function readAnswer(content: Record<string, unknown>, name: string): string | undefined {
  const values = Object.values(content);
  const value = Object.hasOwn(content, name) ? content[name] : values.length === 1 ? values[0] : undefined;
  return ["string", "number", "boolean"].includes(typeof value) ? String(value) : undefined;
}

function unanswered(action: string): ToolError {
  const what = action === "decline" ? "declined to answer" : "closed the question without an answer";
  return new ToolError("nobody-to-ask", `the person ${what}`, {
    hint: "Go on without the answer, or say what is missing.",
  });
}
