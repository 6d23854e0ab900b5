import type { ClientCapabilities, ElicitRequestFormParams, InputRequest } from "@modelcontextprotocol/server";
import { type ApprovalDecision, type ApprovalRequest, approvalPages } from "../../../kernel/people/index.ts";
import { isPlainObject } from "../../../shared/json.ts";
import { defined } from "../../../shared/options/defined.ts";
import { mapValues } from "../../../shared/options/option.ts";
import { escapeLine } from "../../../shared/text/escape-controls.ts";
import { labelRows, markRows, narrowColumns, showLine } from "../../../shared/text/mark-rows.ts";
import { createFormCheck } from "../../../tool/forms/form-check.ts";
import {
  choicesOf,
  type FormField,
  type FormFields,
  formToJsonSchema,
} from "../../../tool/forms/form-fields.ts";
import {
  type Answer,
  describeAsker,
  type Question,
  type QuestionSource,
} from "../../../tool/services/question.ts";
import { ToolError } from "../../../tool/tool-error.ts";

/** A question to a person through the client, and how to read the answer. */
export interface ElicitationForm<Answer> {
  /** The client answers under this key. */
  readonly key: string;
  /** `problem` is the fault of the last answer. */
  request(problem?: string): InputRequest;
  /** Whether an answer that came with the call itself counts. */
  readonly mayBeAnsweredAhead: boolean;
  read(response: unknown): Reading<Answer>;
}

/**
 * An answer, the wish to read on where the form has several pages, a refusal to answer, a problem of the answer, or
 * undefined without an answer.
 */
type Reading<Answer> =
  | { readonly answer: Answer }
  | { readonly readsOn: true }
  | { readonly refusal: Error }
  | { readonly problem: string }
  | undefined;

/** A client that can only open URLs cannot ask questions. */
export function canElicit(capabilities: ClientCapabilities | undefined): boolean {
  const { elicitation } = capabilities ?? {};
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

/**
 * Asks for an approval. Only a clear "allow" allows: a client that accepts every form has decided nothing. A request that
 * is too long for one form is shown in several, and can be allowed only in the last. Undefined if it is too long even for
 * that.
 */
export function approvalForm(
  request: ApprovalRequest,
  client: string,
): ElicitationForm<ApprovalDecision> | undefined {
  const pages = approvalPages(request);
  if (pages === undefined) return undefined;
  const rules = describeRules(request);
  // Only the client knows whether a person answered, or it did so itself.
  const by = `MCP client ${client}`;
  let shown = 0;
  return {
    key: "approval",
    request() {
      const isLast = shown === pages.length - 1;
      const part = pages.length === 1 ? [] : [`Part ${shown + 1} of ${pages.length} of one request:`];
      const message = [...part, pages[shown] ?? "", ...(isLast ? rules : [])].join("\n");
      if (!isLast) return elicit(message, { decision: pageDecision });
      const choices = rules.length > 0 ? ["allow", forSession, "deny"] : ["allow", "deny"];
      return elicit(message, { decision: { ...lastDecision, enum: choices }, reason }, ["decision"]);
    },
    // A person cannot have approved a request that was not shown to them.
    mayBeAnsweredAhead: false,
    read(response) {
      const view = readResponse(response);
      if (view === undefined) return undefined;
      if (view.action !== "accept") return { answer: { decision: "deny", by, note: view.action } };
      const { decision, reason: note } = view.content;
      if (shown < pages.length - 1 && decision === "read on") {
        shown += 1;
        return { readsOn: true };
      }
      if (shown === pages.length - 1) {
        if (decision === "allow") return { answer: { decision, by } };
        if (decision === forSession && rules.length > 0)
          return { answer: { decision: "allow", lasts: "session", by } };
      }
      const why = typeof note === "string" ? note.trim().slice(0, maxReasonCharacters) : "";
      return { answer: { decision: "deny", by, ...defined({ note: why || undefined }) } };
    },
  };
}

/**
 * The rules that an answer for the session would add, if they can be shown. A call can be allowed for good only where a
 * person is sure to have answered: at a terminal, or in an editor.
 */
function describeRules({ rules = [] }: ApprovalRequest): readonly string[] {
  if (rules.join("").length > maxRuleCharacters) return [];
  const title = `"${forSession}" would not ask again for:`;
  return rules.length === 0 ? [] : ["", title, ...rules.flatMap((rule) => markRows(rule, narrowColumns))];
}

const forSession = "allow for this session";
const maxRuleCharacters = 2000;
const maxReasonCharacters = 2000;
const lastDecision = { type: "string" as const, title: "Allow it?" };
const reason = { type: "string" as const, title: "If not, why? The model reads it." };
const pageDecision = {
  type: "string" as const,
  title: "It goes on. Read on before you decide?",
  enum: ["read on", "deny"],
};

/**
 * Shows a question as a form of one field, and a form as it is. A person who declines ends the tool's wait. Undefined if it
 * is too long for a form.
 */
export function questionForm(
  question: Question,
  from: QuestionSource,
  protocol: string,
): ElicitationForm<Answer> | undefined {
  const { name = "answer", fields } = question;
  const text = showQuestion(question, from);
  const shown = fieldsFor(fields === undefined ? { [name]: fieldOf(question) } : showWords(fields), protocol);
  const { properties, required } = formToJsonSchema(shown);
  if (text.length + JSON.stringify(properties).length > maxFormCharacters) return undefined;
  const readContent = fields === undefined ? readText(question, name) : readFields(fields);
  return {
    key: name,
    request: (problem) =>
      elicit(
        problem === undefined ? text : `${text}\n\n${escapeLine(problem)}`,
        properties as FormProperties,
        required,
      ),
    mayBeAnsweredAhead: true,
    read(response) {
      const view = readResponse(response);
      if (view === undefined) return undefined;
      return view.action === "accept" ? readContent(view.content) : { refusal: unanswered(view.action) };
    },
  };
}

const maxFormCharacters = 50_000;

/** The question after our own line that names the asker; no row of the question can pass for one of ours, such as a title. */
function showQuestion({ text }: Question, from: QuestionSource): string {
  return labelRows(`${describeAsker(from)} asks:`, text, narrowColumns).join("\n");
}

/** Keeps the titles and descriptions of fields on one line: the asker wrote them, and a client shows each as it likes. */
function showWords(fields: FormFields): FormFields {
  return mapValues(fields, ({ title, description, ...field }) => ({
    ...field,
    ...defined({ title: title && inOneLine(title) }),
    ...describeDefault(field.default, description === undefined ? [] : [inOneLine(description)]),
  }));
}

/** A client shows a suggested answer unchanged, with its invisible characters and those that pass for others. */
function describeDefault(
  suggested: FormField["default"],
  about: readonly string[] = [],
): { description?: string } {
  const text = typeof suggested === "string" ? suggested : "";
  const words = showLine(text) === text ? about : [...about, `Suggested: ${showLine(text)}`];
  return words.length === 0 ? {} : { description: words.join(" ") };
}

function inOneLine(text: string): string {
  const lines = text.split("\n").map((line) => line.trim());
  return showLine(lines.filter((line) => line !== "").join(" "));
}

function fieldOf({ choices = [], default: suggested }: Question): FormField {
  const field = {
    type: "string",
    required: true,
    ...defined({ default: suggested }),
    ...describeDefault(suggested),
  } as const;
  if (choices.length === 0) return field;
  if (choices.every((choice) => showLine(choice) === choice)) return { ...field, enum: choices };
  // Invisible characters of a choice are written out in its title; the choice itself comes back as it is.
  return { ...field, oneOf: choices.map((choice) => ({ const: choice, title: showLine(choice) })) };
}

type ReadContent = (content: Record<string, unknown>) => Reading<Answer>;

function readText({ choices = [], default: suggested }: Question, name: string): ReadContent {
  return (content) => {
    // Accepting without changes means the suggested answer.
    const isUntouched = Object.keys(content).length === 0;
    const answer = isUntouched ? suggested : readOnlyValue(content, name);
    if (answer === undefined) return { problem: "The answer is missing." };
    if (choices.length > 0 && !choices.includes(answer))
      return { problem: "That is not one of the choices." };
    return { answer };
  };
}

function readFields(fields: FormFields): ReadContent {
  const check = createFormCheck(fields);
  return (content) => {
    const validation = check(content);
    if (validation.ok) return { answer: validation.value };
    return { problem: validation.issues.map(({ message }) => message.replace(/^\$\.?/, "")).join("; ") };
  };
}

function elicit(
  message: string,
  properties: FormProperties,
  required: readonly string[] = Object.keys(properties),
): InputRequest {
  const requestedSchema = { type: "object" as const, properties, required: [...required] };
  return { method: "elicitation/create", params: { message, requestedSchema } };
}

type FormProperties = ElicitRequestFormParams["requestedSchema"]["properties"];

function readResponse(response: unknown) {
  if (!isPlainObject(response) || typeof response.action !== "string") return undefined;
  const { action, content: given } = response;
  const content: Record<string, unknown> = isPlainObject(given) ? given : {};
  return { action, content };
}

/** Some clients rename the only field. */
function readOnlyValue(content: Record<string, unknown>, name: string): string | undefined {
  const values = Object.values(content);
  const value = Object.hasOwn(content, name) ? content[name] : values.length === 1 ? values[0] : undefined;
  return ["string", "number", "boolean"].includes(typeof value) ? String(value) : undefined;
}

function unanswered(action: string): ToolError {
  const hint = "Continue without the answer, or say what you need.";
  if (action === "decline") return new ToolError("declined", "the user declined to answer", { hint });
  return new ToolError("nobody-to-ask", "the user closed the question without an answer", { hint });
}

/** Translates a form for the client's protocol. Throws if it has no equivalent for a field. */
function fieldsFor(fields: FormFields, protocol: string): FormFields {
  if (protocol === "" || protocol >= knowsTitles) return fields;
  const entries = Object.entries(fields).map(([name, field]) => [name, toLegacy(name, field)] as const);
  return Object.fromEntries(entries);
}

const knowsTitles = "2025-11-25";

function toLegacy(name: string, field: FormField): FormField {
  if (field.type === "array") {
    throw new ToolError("nobody-to-ask", `this client cannot show ${name}, which allows several choices`, {
      hint: "Ask for one choice at a time, or use a newer client.",
    });
  }
  if (!("oneOf" in field)) return field;
  const { oneOf: _titled, ...others } = field;
  const choices = choicesOf(field) ?? [];
  return {
    ...others,
    enum: choices.map(({ value }) => value),
    enumNames: choices.map(({ title }) => title),
  };
}
