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
function createObject(properties: Record<string, JsonObject>): JsonObject {
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
    schema: createObject({
      vendor: text,
      date: { type: ['string', 'null'], description: 'ISO 8601, or null if there is none.' },
      total: { type: 'number' },
      currency: text,
      lines: list(
        createObject({
          description: text,
          quantity: { type: 'number' },
          amount: { type: 'number' },
        }),
      ),
    }),
  },
  {
    name: 'classification',
    label: 'Classify with confidence',
    schema: createObject({
      label: { type: 'string', enum: ['positive', 'neutral', 'negative'] },
      confidence: { type: 'number', minimum: 0, maximum: 1 },
    }),
  },
  {
    name: 'decision',
    label: 'Yes or no, with a reason',
    schema: createObject({ reason: text, answer: { type: 'boolean' } }),
  },
  {
    name: 'items',
    label: 'List of items',
    schema: createObject({ items: list(createObject({ title: text, description: text })) }),
  },
  {
    name: 'steps',
    label: 'Steps, then the answer',
    schema: createObject({
      steps: list(createObject({ explanation: text, output: text })),
      answer: text,
    }),
  },
  { name: 'empty', label: 'Empty object', schema: createObject({}) },
];
