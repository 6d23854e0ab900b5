import { builtinTools } from "../../../src/capabilities.ts";
import { createDialectView, type DialectView } from "../../../src/kernel/dialects/dialect-view.ts";
import { flyto } from "../../../src/kernel/dialects/tables/flyto.ts";
import { createRegistry } from "../../../src/kernel/registry/create-registry.ts";
import type { Registry } from "../../../src/kernel/registry/registry.ts";
import { createStaticSource } from "../../../src/kernel/registry/tool-source.ts";
import { type AnyTool, defineTool } from "../../../src/tool/define-tool.ts";

export interface SampleTool {
  readonly name: string;
  readonly description: string;
  readonly searchHint?: string;
  readonly aliases?: readonly string[];
}

export function sampleTool(sample: SampleTool): AnyTool {
  return defineTool({ ...sample, params: {}, traits: { readOnly: true }, run: () => sample.name });
}

/** The built-in tools, those written out below and some thousands of the kind that MCP servers bring along. */
export async function openSampleCatalogue(): Promise<{ registry: Registry; view: DialectView }> {
  const registry = createRegistry();
  // Of tools for the web, those below are enough to be found.
  const others = builtinTools.filter(({ name }) => !/^(?:web|network)_/.test(name));
  await registry.addSource(createStaticSource("built-in", "builtin", others));
  const tools = [...writtenTools, ...generatedTools()].map(sampleTool);
  await registry.addSource(createStaticSource("samples", "inline", tools));
  return { registry, view: createDialectView(flyto, registry) };
}

export const sampleSession = { id: "s", workspace: "/w", dialect: "flyto", mode: "ask" };

const writtenTools: readonly SampleTool[] = [
  {
    name: "WebFetch",
    description: "Fetches content from a URL and turns it into Markdown.",
    searchHint: "web page url http download",
  },
  {
    name: "WebSearch",
    description: "Searches the web and returns titles, links and snippets.",
    searchHint: "internet google bing search engine",
  },
  { name: "gmail_send_email", description: "Send an email through Gmail, with attachments if needed." },
  { name: "gmail_search_threads", description: "Search the mailbox for conversations that match a query." },
  { name: "weather_forecast", description: "Get the weather for a city for the next seven days." },
  {
    name: "puppeteer_screenshot",
    description: "Take a screenshot of the current page or of one element on it.",
  },
  { name: "puppeteer_click", description: "Click an element on the page." },
  { name: "playwright_navigate", description: "Open a URL in the browser and wait until it has loaded." },
  { name: "postgres_query", description: "Run a read-only SQL query against the database." },
  { name: "postgres_list_tables", description: "List all tables of a schema with their columns." },
  { name: "sqlite_execute", description: "Execute an SQL statement in a SQLite file.", aliases: ["sql_run"] },
  { name: "redis_get", description: "Read the value of a key from Redis." },
  { name: "redis_set", description: "Set a key in Redis, with a time to live if wanted." },
  { name: "docker_list_containers", description: "List containers, running ones or all of them." },
  { name: "docker_build_image", description: "Build an image from a Dockerfile." },
  { name: "kubernetes_get_pods", description: "Show the pods of a namespace and their state." },
  { name: "kubernetes_apply_manifest", description: "Apply a YAML manifest to the cluster." },
  { name: "aws_s3_upload", description: "Upload an object to an S3 bucket." },
  { name: "aws_lambda_invoke", description: "Invoke a Lambda function and return its result." },
  { name: "translate_text", description: "Translate text from one language into another." },
  {
    name: "image_resize",
    description: "Resize an image to a given width and height.",
    searchHint: "picture photo thumbnail scale",
  },
  { name: "image_generate", description: "Generate an image from a prompt." },
  { name: "pdf_extract_text", description: "Extract the text of a PDF document, page by page." },
  {
    name: "speech_transcribe",
    description: "Turn an audio recording into text.",
    searchHint: "whisper dictation voice",
  },
  { name: "calculator", description: "Evaluate an arithmetic expression.", searchHint: "math compute sum" },
  {
    name: "current_time",
    description: "Tell the date and time in a time zone.",
    searchHint: "clock now today",
  },
  { name: "memory_store_fact", description: "Remember a fact for later conversations." },
  { name: "git_commit", description: "Record the staged changes with a message." },
  { name: "git_log", description: "Show the history of commits." },
  { name: "git_blame", description: "Show who changed each line of a file last." },
  { name: "npm_install_package", description: "Install a package from the npm registry." },
  { name: "run_python", description: "Execute Python code in a sandbox and return what it prints." },
  { name: "currency_convert", description: "Convert an amount between currencies at today's exchange rate." },
  {
    name: "maps_directions",
    description: "Find the way from one place to another by car, train or on foot.",
  },
  { name: "maps_geocode", description: "Turn an address into coordinates." },
  { name: "spotify_play_track", description: "Play a song on the active device." },
  { name: "calendar_create_event", description: "Add a meeting to a Google calendar and invite people." },
  { name: "vault_read_secret", description: "Read a secret from HashiCorp Vault." },
  { name: "sentry_list_errors", description: "List unresolved errors and crashes of a project." },
  { name: "figma_export_frame", description: "Export a frame of a design as PNG or SVG." },
  { name: "kb_lookup", description: "在知识库中搜索文档,返回最相关的段落。", searchHint: "知识库 文档 搜索" },
  { name: "train_tickets", description: "查询火车票余票和票价。" },
  { name: "poi_nearby", description: "查找附近的餐厅、酒店和加油站。" },
  { name: "kanji_reading", description: "漢字の読み方を調べて、ひらがなで返します。" },
  { name: "hangul_spelling", description: "한국어 문장의 맞춤법을 검사합니다." },
];

const services = [
  "GitHub",
  "GitLab",
  "Jira",
  "Slack",
  "Notion",
  "Stripe",
  "Shopify",
  "Zendesk",
  "HubSpot",
  "Airtable",
  "Asana",
  "Trello",
  "Linear",
  "Salesforce",
  "Discord",
  "Dropbox",
  "Confluence",
  "Intercom",
  "Mailchimp",
  "Twilio",
];
const things = [
  "issue",
  "comment",
  "label",
  "project",
  "release",
  "branch",
  "user",
  "team",
  "message",
  "channel",
  "page",
  "invoice",
  "payment",
  "refund",
  "order",
  "product",
  "ticket",
  "contact",
  "deal",
  "webhook",
];
const actions = [
  "create",
  "get",
  "update",
  "delete",
  "list",
  "search",
  "archive",
  "assign",
  "export",
  "merge",
];

/** 4,000 tools that differ in one word from dozens of others. */
function generatedTools(): SampleTool[] {
  return services.flatMap((service) =>
    things.flatMap((thing) =>
      actions.map((action) => ({
        name: `${service.toLowerCase()}_${action}_${thing}`,
        description: `${action[0]!.toUpperCase()}${action.slice(1)} a ${thing} in ${service}. Needs an access token with the right scopes.`,
      })),
    ),
  );
}
