/** Lists the tools, prompts and resources of an MCP server, page by page. */
import type { Client } from '@modelcontextprotocol/client';
import type { z } from 'zod';
import type { JsonObject } from '../../shared/json.ts';
import type { McpOffers } from '../../shared/mcp.ts';
import {
  limitOffers,
  MAX_LISTED_ITEMS,
  promptPageSchema,
  readPrompts,
  readResources,
  readTools,
  resourcePageSchema,
  toolPageSchema,
} from './read-offers.ts';

const PAGE_MS = 30_000;
const MAX_PAGES = 20;

/** Returns what the server offers, up to a limit of each kind. */
export async function listOffers(client: Client): Promise<McpOffers> {
  const { tools, prompts, resources } = client.getServerCapabilities() ?? {};
  const listed = {
    tools: tools
      ? await listAll(client, 'tools/list', toolPageSchema, (page) => page.tools)
      : noItems,
    prompts: prompts
      ? await listAll(client, 'prompts/list', promptPageSchema, (page) => page.prompts)
      : noItems,
    resources: resources
      ? await listAll(client, 'resources/list', resourcePageSchema, (page) => page.resources)
      : noItems,
  };
  return limitOffers({
    tools: readTools(listed.tools.items),
    prompts: readPrompts(listed.prompts.items),
    resources: readResources(listed.resources.items),
    cut: offerKinds.filter((kind) => listed[kind].isCut),
    repeated: offerKinds.filter((kind) => listed[kind].isRepeated),
  });
}

interface Listed {
  items: unknown[];
  isCut: boolean;
  /** True if the server repeated a cursor, so its pages would never end. */
  isRepeated: boolean;
}

const noItems: Listed = { items: [], isCut: false, isRepeated: false };
const offerKinds = ['tools', 'prompts', 'resources'] as const;

async function listAll<Page extends { nextCursor?: string | null | undefined }>(
  client: Client,
  method: string,
  schema: z.ZodType<Page>,
  getItems: (page: Page) => unknown[],
): Promise<Listed> {
  const items: unknown[] = [];
  const cursors = new Set<string>();
  let cursor: string | null = null;
  let isRepeated = false;
  for (let page = 0; page < MAX_PAGES && items.length < MAX_LISTED_ITEMS; page += 1) {
    const params: JsonObject = cursor === null ? {} : { cursor };
    const result: Page = await client.request({ method, params }, schema, { timeout: PAGE_MS });
    // The empty text is a cursor too.
    cursor = result.nextCursor ?? null;
    isRepeated = cursor !== null && cursors.has(cursor);
    items.push(...(isRepeated ? withoutListed(getItems(result), items) : getItems(result)));
    if (cursor === null || isRepeated) break;
    cursors.add(cursor);
  }
  const isCut = (cursor !== null && !isRepeated) || items.length > MAX_LISTED_ITEMS;
  return { items: items.slice(0, MAX_LISTED_ITEMS), isCut, isRepeated };
}

/** Servers that ignore the cursor send the first page again. */
function withoutListed(items: readonly unknown[], listed: readonly unknown[]): unknown[] {
  const known = new Set(listed.map((item) => JSON.stringify(item)));
  return items.filter((item) => !known.has(JSON.stringify(item)));
}
