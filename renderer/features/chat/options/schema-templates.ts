import type { JsonObject } from '../../../../shared/json.ts';

export interface SchemaTemplate {
  name: string;
  label: string;
  schema: JsonObject;
}

const text = { type: 'string' };

function list(items: JsonObject): JsonObject {
  return { type: 'array', items };
}

/** Strict modes require every property and allow no others. */
function object(properties: Record<string, JsonObject>): JsonObject {
  return {
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

export const schemaTemplates: readonly SchemaTemplate[] = [
  {
    name: 'extraction',
    label: 'Extract fields (an invoice)',
    schema: object({
      vendor: text,
      date: { type: ['string', 'null'], description: 'ISO 8601, or null if there is none.' },
      total: { type: 'number' },
      currency: text,
      lines: list(
        object({ description: text, quantity: { type: 'number' }, amount: { type: 'number' } }),
      ),
    }),
  },
  {
    name: 'classification',
    label: 'Classify with confidence',
    schema: object({
      label: { type: 'string', enum: ['positive', 'neutral', 'negative'] },
      confidence: { type: 'number', minimum: 0, maximum: 1 },
    }),
  },
  {
    name: 'decision',
    label: 'Yes or no, with a reason',
    schema: object({ reason: text, answer: { type: 'boolean' } }),
  },
  {
    name: 'items',
    label: 'List of items',
    schema: object({ items: list(object({ title: text, description: text })) }),
  },
  {
    name: 'steps',
    label: 'Steps, then the answer',
    schema: object({ steps: list(object({ explanation: text, output: text })), answer: text }),
  },
  { name: 'empty', label: 'Empty object', schema: object({}) },
];
