/** Lists tools that providers run themselves, and writes them into requests. */
import { z } from 'zod';
import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from '../../json.ts';
import { jsonObjectSchema } from '../../json-schema.ts';

/** How a parameter is entered, and which values it has. */
type ParameterControl =
  | { kind: 'choice'; options: readonly string[] }
  | { kind: 'integer'; min: number; max: number }
  | { kind: 'switch' }
  | { kind: 'text' }
  /** Texts, separated by commas. */
  | { kind: 'list' };

export interface BuiltInParameter {
  name: string;
  title: string;
  help: string;
  control: ParameterControl;
  /** The path in the sent tool, such as `['filters', 'allowed_domains']`. */
  at: readonly [string, ...string[]];
  /** The provider rejects the tool without it. */
  required?: true;
}

export interface BuiltInTool {
  name: string;
  title: string;
  help: string;
  source: string;
  /** The tool as sent without parameters. */
  sent: JsonObject;
  parameters: readonly BuiltInParameter[];
}

const MAX_USES = 100;

function createDomains(name: string, verb: string, at: BuiltInParameter['at']): BuiltInParameter {
  return {
    name,
    title: `${verb} domains`,
    help: 'Separated by commas, such as example.com, docs.example.org. Subdomains are included.',
    control: { kind: 'list' },
    at,
  };
}

const maxUses: BuiltInParameter = {
  name: 'maxUses',
  title: 'Max uses',
  help: 'The most times that the model may use the tool in one answer.',
  control: { kind: 'integer', min: 1, max: MAX_USES },
  at: ['max_uses'],
};

function createVersion(...options: string[]): BuiltInParameter {
  return {
    name: 'version',
    title: 'Version',
    help: `Newer versions need newer models; ${options[0]} unless set.`,
    control: { kind: 'choice', options },
    at: ['type'],
  };
}

const OPENAI = 'https://developers.openai.com/api/docs/guides';
const CLAUDE = 'https://platform.claude.com/docs/en/agents-and-tools/tool-use';

/**
 * The tools of each format that has any. The parameters are those of the official clients' types:
 * `ResponseCreateParams.tools` of openai and `ToolUnion` of @anthropic-ai/sdk.
 */
const tools = {
  responses: [
    {
      name: 'webSearch',
      title: 'Web search',
      help: 'Searches the web and cites what it finds.',
      source: `${OPENAI}/tools-web-search`,
      sent: { type: 'web_search' },
      parameters: [
        {
          name: 'contextSize',
          title: 'Search context',
          help: 'How much of the results the model reads.',
          control: { kind: 'choice', options: ['low', 'medium', 'high'] },
          at: ['search_context_size'],
        },
        createDomains('allowedDomains', 'Only these', ['filters', 'allowed_domains']),
      ],
    },
    {
      name: 'code',
      title: 'Code interpreter',
      help: 'Runs Python in a container of the provider.',
      source: `${OPENAI}/tools-code-interpreter`,
      sent: { type: 'code_interpreter', container: { type: 'auto' } },
      parameters: [
        {
          name: 'memory',
          title: 'Memory',
          help: 'The memory limit of the container.',
          control: { kind: 'choice', options: ['1g', '4g', '16g', '64g'] },
          at: ['container', 'memory_limit'],
        },
      ],
    },
    {
      name: 'fileSearch',
      title: 'File search',
      help: 'Searches files that were uploaded to vector stores.',
      source: `${OPENAI}/tools-file-search`,
      sent: { type: 'file_search' },
      parameters: [
        {
          name: 'vectorStores',
          title: 'Vector store IDs',
          help: 'Separated by commas, such as vs_123, vs_456.',
          control: { kind: 'list' },
          at: ['vector_store_ids'],
          required: true,
        },
        {
          name: 'maxResults',
          title: 'Max results',
          help: 'The most results per search.',
          control: { kind: 'integer', min: 1, max: 50 },
          at: ['max_num_results'],
        },
      ],
    },
    {
      name: 'imageGeneration',
      title: 'Image generation',
      help: 'Draws images, or edits those of the conversation.',
      source: `${OPENAI}/tools-image-generation`,
      sent: { type: 'image_generation' },
      parameters: [
        {
          name: 'quality',
          title: 'Quality',
          help: 'Not every model has every quality.',
          control: { kind: 'choice', options: ['auto', 'low', 'medium', 'high', 'xhigh', 'max'] },
          at: ['quality'],
        },
        {
          name: 'size',
          title: 'Size',
          help: 'Such as 1024x1024, 1536x1024 or auto.',
          control: { kind: 'text' },
          at: ['size'],
        },
        {
          name: 'outputFormat',
          title: 'Format',
          help: 'The type of the image file.',
          control: { kind: 'choice', options: ['png', 'webp', 'jpeg'] },
          at: ['output_format'],
        },
      ],
    },
  ],
  messages: [
    {
      name: 'webSearch',
      title: 'Web search',
      help: 'Searches the web and cites what it finds.',
      source: `${CLAUDE}/web-search-tool`,
      sent: { type: 'web_search_20250305', name: 'web_search' },
      parameters: [
        maxUses,
        createDomains('allowedDomains', 'Only these', ['allowed_domains']),
        createDomains('blockedDomains', 'Not these', ['blocked_domains']),
        createVersion('web_search_20250305', 'web_search_20260209', 'web_search_20260318'),
      ],
    },
    {
      name: 'webFetch',
      title: 'Web fetch',
      help: 'Reads pages and PDFs whose addresses are in the conversation.',
      source: `${CLAUDE}/web-fetch-tool`,
      sent: { type: 'web_fetch_20250910', name: 'web_fetch' },
      parameters: [
        maxUses,
        createDomains('allowedDomains', 'Only these', ['allowed_domains']),
        createDomains('blockedDomains', 'Not these', ['blocked_domains']),
        {
          name: 'maxContentTokens',
          title: 'Max content tokens',
          help: 'The most tokens of a page that the model reads.',
          control: { kind: 'integer', min: 1, max: 1_000_000 },
          at: ['max_content_tokens'],
        },
        {
          name: 'citations',
          title: 'Citations',
          help: 'Cite the passages that the answer uses.',
          control: { kind: 'switch' },
          at: ['citations', 'enabled'],
        },
        createVersion('web_fetch_20250910', 'web_fetch_20260209', 'web_fetch_20260318'),
      ],
    },
    {
      name: 'code',
      title: 'Code execution',
      help: 'Runs code in a container of the provider.',
      source: `${CLAUDE}/code-execution-tool`,
      sent: { type: 'code_execution_20250825', name: 'code_execution' },
      parameters: [
        createVersion(
          'code_execution_20250825',
          'code_execution_20260120',
          'code_execution_20260521',
        ),
      ],
    },
  ],
} as const satisfies Record<string, readonly BuiltInTool[]>;

/** A tool that is on, with the parameters that are set; another format keeps its own. */
export const builtInChoiceSchema = z.object({
  format: z.string(),
  name: z.string(),
  values: jsonObjectSchema,
});
export type BuiltInChoice = z.infer<typeof builtInChoiceSchema>;

/** Returns the tools of a format; an undefined format is chat completions, which has none. */
export function listBuiltInTools(format: JsonValue | undefined): readonly BuiltInTool[] {
  return format === 'responses' || format === 'messages' ? tools[format] : [];
}

/** Returns the chosen tools as the format sends them. */
export function writeBuiltInTools(
  choices: readonly BuiltInChoice[],
  format: JsonValue | undefined,
): JsonObject[] {
  return listChosen(choices, format).map(({ tool, values }) => writeTool(tool, values));
}

export function listChosen(
  choices: readonly BuiltInChoice[],
  format: JsonValue | undefined,
): { tool: BuiltInTool; values: JsonObject }[] {
  return listBuiltInTools(format).flatMap((tool) => {
    const choice = choices.find((one) => one.format === format && one.name === tool.name);
    return choice === undefined ? [] : [{ tool, values: choice.values }];
  });
}

function writeTool({ sent, parameters }: BuiltInTool, values: JsonObject): JsonObject {
  return parameters.reduce<JsonObject>((written, { name, at }) => {
    const value = values[name];
    return value === undefined || isEmpty(value) ? written : setAt(written, at, value);
  }, sent);
}

function isEmpty(value: JsonValue): boolean {
  return value === '' || (Array.isArray(value) && value.length === 0);
}

function setAt(object: JsonObject, [name = '', ...inner]: readonly string[], value: JsonValue) {
  if (inner.length === 0) return { ...object, [name]: value };
  const { [name]: within } = object;
  const changed: JsonObject = setAt(isJsonObject(within) ? within : {}, inner, value);
  return { ...object, [name]: changed };
}

/** Returns the choice that sends this tool; null if the switches can't. */
export function readBuiltInTool(
  sent: JsonValue,
  format: JsonValue | undefined,
): BuiltInChoice | null {
  if (!isJsonObject(sent) || typeof format !== 'string') return null;
  for (const tool of listBuiltInTools(format)) {
    const values: JsonObject = {};
    for (const { name, at } of tool.parameters) {
      const value = getAt(sent, at);
      if (value !== undefined && !isSameJson(value, getAt(tool.sent, at))) values[name] = value;
    }
    if (isSameJson(writeTool(tool, values), sent)) return { format, name: tool.name, values };
  }
  return null;
}

function getAt(object: JsonObject, at: readonly string[]): JsonValue | undefined {
  return at.reduce<JsonValue | undefined>(
    (value, name) => (isJsonObject(value) ? value[name] : undefined),
    object,
  );
}

/** Returns what a tool lacks or has wrong; null if it can be sent, or isn't known. */
export function findBuiltInProblem(sent: JsonObject): string | null {
  const tool = allTools.find(
    ({ sent: { type }, parameters }) =>
      type === sent.type || parameters.some(({ at }) => at[0] === 'type' && isVersion(type, sent)),
  );
  for (const { title, at, control, required } of tool?.parameters ?? []) {
    const value = getAt(sent, at);
    if (value === undefined || isEmpty(value)) {
      if (required === true) return `${tool?.title} needs ${title}.`;
    } else if (!fits(value, control)) return `The ${title} of ${tool?.title} isn’t valid.`;
  }
  return null;
}

const allTools: readonly BuiltInTool[] = [...tools.responses, ...tools.messages];

/** Versions of a tool differ in the date at the end of their type. */
function isVersion(type: JsonValue | undefined, sent: JsonObject): boolean {
  const stem = (text: JsonValue | undefined) => String(text).replace(/_\d{8}$/, '');
  return stem(type) === stem(sent.type) && /_\d{8}$/.test(String(sent.type));
}

function fits(value: JsonValue, control: ParameterControl): boolean {
  switch (control.kind) {
    // Providers add values.
    case 'choice':
    case 'text':
      return typeof value === 'string';
    case 'integer': {
      const isWhole = typeof value === 'number' && Number.isInteger(value);
      return isWhole && value >= control.min && value <= control.max;
    }
    case 'switch':
      return typeof value === 'boolean';
    case 'list':
      return Array.isArray(value) && value.every((item) => typeof item === 'string');
  }
}
