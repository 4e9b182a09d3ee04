/** The parameter form of an operation as plain data, so that the page needs no schema library. */
import { z } from 'zod';
import { jsonObjectSchema, jsonValueSchema } from '../../json-schema.ts';
import { operationNameSchema } from '../operation-name.ts';

/** A field of an `object`; of a `map`, what its keys and its values are called. */
const fieldPartSchema = z.object({
  name: z.string(),
  title: z.string(),
  control: z.enum(['text', 'number', 'switch']),
  suggestions: z.array(z.string()),
});
export type FieldPart = z.infer<typeof fieldPartSchema>;

export const fieldDescriptionSchema = z.object({
  /** The wire name: `top_p`. */
  name: z.string(),
  title: z.string(),
  description: z.string(),
  group: z.string(),
  control: z.enum([
    'slider',
    'number',
    'text',
    'multiline',
    'switch',
    'choice',
    'choices',
    'lines',
    'map',
    'object',
    'json',
  ]),
  /** `lines` may also be sent as one string. */
  orText: z.boolean(),
  parts: z.array(fieldPartSchema),
  /** The field without which, or with which off, this one is not sent. */
  needs: z.string().nullable(),
  integer: z.boolean(),
  minimum: z.number().nullable(),
  maximum: z.number().nullable(),
  maxLength: z.int().nullable(),
  step: z.number().nullable(),
  /** The words of a `choice` or `choices`. */
  options: z.array(z.string()),
  /** `name` says in words what a bare code does not. */
  suggestions: z.array(z.object({ value: z.string(), name: z.string().nullable() })),
  gatewayDefault: jsonValueSchema.nullable(),
  /** What the control holds right after the user sets the field. */
  startValue: jsonValueSchema,
});
export type FieldDescription = z.infer<typeof fieldDescriptionSchema>;

/** The types inside a value, as its schema has them; what they do not name is free. */
const valueShapeSchema = z.object({
  /** Missing where it may be another one, or one of several. */
  type: z.enum(['string', 'number', 'boolean', 'array', 'object']).optional().catch(undefined),
  /** Of an array. */
  get items() {
    return valueShapeSchema.optional();
  },
  /** Of an object; all are optional. */
  get properties() {
    return z.record(z.string(), valueShapeSchema).optional();
  },
});
export type ValueShape = z.infer<typeof valueShapeSchema>;

export const objectShapeSchema = valueShapeSchema.required({ properties: true });

/** A field that may be sent under another name. */
const renamableFieldSchema = z.object({
  /** The field, and the name it is sent under unless it is renamed. */
  name: z.string(),
  title: z.string(),
  /** Other names that are known to be in use. */
  otherNames: z.array(z.string()),
});
export type RenamableField = z.infer<typeof renamableFieldSchema>;

export const operationDescriptionSchema = z.object({
  name: operationNameSchema,
  /** Fields with a control, in form order; panels own `messages`, `prompt`, `model` themselves. */
  fields: z.array(fieldDescriptionSchema),
  /** By wire name: the types of objects that a panel has places of its own for, such as `generationConfig`. */
  objects: z.record(z.string(), objectShapeSchema),
  renamable: z.array(renamableFieldSchema),
  draft: jsonObjectSchema,
});
export type OperationDescription = z.infer<typeof operationDescriptionSchema>;
