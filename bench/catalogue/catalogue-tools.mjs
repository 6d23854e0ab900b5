import { z } from "zod";

const services = words("github gitlab jira slack notion stripe shopify zendesk hubspot airtable");
const things = words(
  "issue comment label project release branch user team message channel page block invoice payment refund order product ticket contact deal record view file folder event",
);
const actions = words(
  "create read update delete list search archive restore assign close reopen lock unlock move copy merge export import link unlink watch mute pin tag untag approve reject publish share count validate preview schedule cancel retry split sort filter group rename",
);

/** The same tools for every candidate, 10,000 of them: a name, a sentence, and four parameters of different types. */
export const toolNames = services.flatMap((service) =>
  things.flatMap((thing) => actions.map((action) => `${service}_${thing}_${action}`)),
);

function words(text) {
  return text.split(" ");
}

export function describeTool(name) {
  return `Looks up records through ${name}, newest first, and gives back at most as many as were asked for.`;
}

export const catalogueParams = {
  query: { type: "string", description: "What to look for" },
  limit: { type: "integer", description: "How many records at most", minimum: 1, maximum: 100, default: 10 },
  order: { type: "string", enum: ["newest", "oldest"], default: "newest" },
  tags: { type: "array", items: { type: "string" }, required: false },
};

export function createZodSchema() {
  return z.object({
    query: z.string().describe("What to look for"),
    limit: z.int().min(1).max(100).default(10).describe("How many records at most"),
    order: z.enum(["newest", "oldest"]).default("newest"),
    tags: z.array(z.string()).optional(),
  });
}

export async function lookUp({ query }) {
  return query;
}
