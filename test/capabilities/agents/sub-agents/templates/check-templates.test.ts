import { expect, test } from "vitest";
import { checkTemplates } from "../../../../../src/capabilities/agents/sub-agents/sub-agent-options.ts";
import type { TemplateDefinitions } from "../../../../../src/capabilities/agents/sub-agents/templates/agent-template.ts";

test("a template with every field is accepted, and so are no templates", () => {
  const given = {
    explorer: {
      description: "Explores",
      system: "",
      tools: ["Read", "mcp__github__*"],
      disallowedTools: [],
      model: "inherit",
      maxSteps: 1,
      mode: "readonly",
      agents: { allowed: ["reviewer"], maxDepth: 0 },
    },
    reviewer: { description: "Reviews" },
  } satisfies TemplateDefinitions;
  expect(() => checkTemplates(given)).not.toThrow();
  expect(() => checkTemplates({})).not.toThrow();
  expect(() => checkTemplates(undefined)).not.toThrow();
});

test.each([
  [{ tools: "Read" }, 'agents.templates.explorer.tools must be a list of names; received "Read"'],
  [{ tools: ["Read", 5] }, "agents.templates.explorer.tools must be a list of names"],
  [{ tools: [""] }, "agents.templates.explorer.tools must be a list of names"],
  [{ disallowedTools: {} }, "agents.templates.explorer.disallowedTools must be a list of names"],
  [{ description: " " }, "agents.templates.explorer.description must be a string"],
  [{ description: undefined }, "agents.templates.explorer.description must be a string"],
  [{ system: 5 }, "agents.templates.explorer.system must be a string; received 5"],
  [{ model: "" }, "agents.templates.explorer.model must be the name of a model"],
  [{ maxSteps: 0 }, "agents.templates.explorer.maxSteps must be a whole number of at least 1; received 0"],
  [{ maxSteps: 1.5 }, "agents.templates.explorer.maxSteps must be a whole number"],
  [{ maxSteps: "5" }, "agents.templates.explorer.maxSteps must be a whole number"],
  [{ mode: "plan" }, "agents.templates.explorer.mode must be one of readonly, ask, edit, auto"],
  [{ mode: null }, "agents.templates.explorer.mode must be one of"],
  [{ agents: true }, "agents.templates.explorer.agents must be an object; received true"],
  [{ agents: { allowed: "all" } }, "agents.templates.explorer.agents.allowed must be a list of names"],
  [{ agents: { maxDepth: -1 } }, "agents.templates.explorer.agents.maxDepth must be a whole number"],
])("a template with the field %j is refused with the field's path", (fields, message) => {
  const check = () => checkTemplates({ explorer: { description: "Explores", ...fields } });
  expect(check).toThrow(TypeError);
  expect(check).toThrow(message);
});

test.each([
  [null, "agents.templates must be an object of templates by name; received null"],
  [[], "agents.templates must be an object"],
  [{ explorer: "Explores" }, 'agents.templates.explorer must be an object; received "Explores"'],
  [
    { "../out": { description: "Out" } },
    'agents.templates: the name "../out" must start with a letter or digit',
  ],
  [{ "": { description: "Out" } }, 'agents.templates: the name "" must start with'],
  [JSON.parse('{"__proto__": {"description": "Out"}}'), 'the name "__proto__" must start with'],
])("the value %j is refused as templates", (given, message) => {
  const check = () => checkTemplates(given);
  expect(check).toThrow(TypeError);
  expect(check).toThrow(message);
});
