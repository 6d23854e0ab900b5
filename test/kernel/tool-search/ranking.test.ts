import { beforeAll, describe, expect, test } from "vitest";
import { createToolIndex, type ToolIndex } from "../../../src/kernel/tool-search/tool-index.ts";
import { openSampleCatalogue, sampleSession } from "./sample-catalogue.ts";

let index: ToolIndex;

beforeAll(async () => {
  const { registry, view } = await openSampleCatalogue();
  index = createToolIndex(registry, view);
});

async function namesFor(query: string, limit = 10): Promise<string[]> {
  const found = await index.search(query, { limit, session: sampleSession });
  return found.map(({ name }) => name);
}

describe("the first tool found", () => {
  test.each([
    ["github create issue", "github_create_issue"],
    ["create an issue on GitHub", "github_create_issue"],
    ["creating GitHub issues", "github_create_issue"],
    ["open a new ticket in zendesk", "zendesk_create_ticket"],
    ["add a message in slack", "slack_create_message"],
    ["make a refund in Stripe", "stripe_create_refund"],
    ["merge branch gitlab", "gitlab_merge_branch"],
    ["jira_search_issue", "jira_search_issue"],
    ["delete webhook in shopify", "shopify_delete_webhook"],
    ["list linear projects", "linear_list_project"],
    ["assign ticket intercom", "intercom_assign_ticket"],
    ["notion page archive", "notion_archive_page"],
    ["fetch web page", "WebFetch"],
    ["download a url", "WebFetch"],
    ["webfetch", "WebFetch"],
    ["web-fetch", "WebFetch"],
    ["search the internet", "WebSearch"],
    ["google something", "WebSearch"],
    ["send an email", "gmail_send_email"],
    ["what's the weather tomorrow", "weather_forecast"],
    ["take a screenshot", "puppeteer_screenshot"],
    ["screnshot of the page screenshot", "puppeteer_screenshot"],
    ["sql query postgres", "postgres_query"],
    ["sql_run", "sqlite_execute"],
    ["redis set", "redis_set"],
    ["get a value from redis", "redis_get"],
    ["list docker containers", "docker_list_containers"],
    ["show kubernetes pods", "kubernetes_get_pods"],
    ["upload file to s3 bucket", "aws_s3_upload"],
    ["invoke lambda", "aws_lambda_invoke"],
    ["translate into German language", "translate_text"],
    ["make a thumbnail of a photo", "image_resize"],
    ["extract text from pdf", "pdf_extract_text"],
    ["transcribe audio recording", "speech_transcribe"],
    ["compute a sum", "calculator"],
    ["what time is it", "current_time"],
    ["who changed this line", "git_blame"],
    ["commit staged changes", "git_commit"],
    ["install npm package", "npm_install_package"],
    ["execute python code", "run_python"],
    ["exchange rate currency", "currency_convert"],
    ["directions by train", "maps_directions"],
    ["address to coordinates", "maps_geocode"],
    ["play a song", "spotify_play_track"],
    ["invite people to a meeting", "calendar_create_event"],
    ["rename a file", "file_move"],
    ["duplicate file", "file_copy"],
    ["ls directory", "file_list"],
    ["apply a patch to files", "file_patch"],
    ["ToolSearch", "tool_search"],
    ["FileRead", "file_read"],
    ["Bash", "shell_run"],
    ["搜索知识库", "kb_lookup"],
    ["火车票", "train_tickets"],
    ["附近的酒店", "poi_nearby"],
    ["漢字の読み方", "kanji_reading"],
    ["맞춤법 검사", "hangul_spelling"],
  ])("for %j is %s", async (query, expected) => {
    expect((await namesFor(query))[0]).toBe(expected);
  });
});

describe("one of the first three tools found", () => {
  test.each([
    ["fetch", "WebFetch"],
    ["web", "WebSearch"],
    ["browser open url", "playwright_navigate"],
    ["remove a file", "file_delete"],
    ["new directory", "file_mkdir"],
    ["search for text in files", "search_grep"],
    ["find files by name", "search_glob"],
    ["run shell command", "shell_run"],
    ["stop background job", "shell_kill"],
    ["list the tables of postgres", "postgres_list_tables"],
    ["errors and crashes", "sentry_list_errors"],
    ["draw me a picture", "image_generate"],
    ["remember this for later", "memory_store_fact"],
    ["read a secret", "vault_read_secret"],
    ["design export png", "figma_export_frame"],
  ])("for %j is %s", async (query, expected) => {
    expect((await namesFor(query)).slice(0, 3)).toContain(expected);
  });
});

test("a result far worse than the best is left out, so that no unwanted tool is activated", async () => {
  expect(await namesFor("web")).toEqual(["WebFetch", "WebSearch"]);
  expect(await namesFor("weather")).toEqual(["weather_forecast"]);
});

test("a part of a name will do, also one that goes over the end of a word", async () => {
  expect(await namesFor("etch")).toContain("WebFetch");
  expect(await namesFor("bfet")).toEqual(["WebFetch"]);
  expect((await namesFor("resiz"))[0]).toBe("image_resize");
});

test("at most as many are found as were asked for, in the same order every time", async () => {
  const found = await namesFor("github issue", 5);
  expect(found).toHaveLength(5);
  expect(await namesFor("github issue", 5)).toEqual(found);
  expect((await namesFor("github issue", 3)).length).toBe(3);
});

test.each([
  ["nothing", ""],
  ["blanks", " \n\t "],
  ["punctuation", "?!… --- ///"],
  ["an emoji", "🦊"],
  ["half a character", "\ud83d"],
  ["names of every object", "__proto__ constructor"],
  ["a pattern", ".*(a+)+$"],
  ["a word that no tool has", "xyzzyplugh"],
])("%s finds nothing and breaks nothing", async (_what, query) => {
  expect(await namesFor(query)).toEqual([]);
});
