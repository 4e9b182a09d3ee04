/** Describes the fields, limits and labels of a parameter form. */
import type { z } from 'zod';
import type { JsonObject } from '../../json.ts';
import type { OperationName } from '../operation-name.ts';
import { operations, requestSchemas } from '../operations.ts';
import { type FieldFacts, type ObjectShape, readRequestFacts } from './request-facts.ts';

export interface FieldDescription extends FieldFacts {
  /** Validates a value with the same messages as `findFieldErrors`. */
  readonly schema: z.ZodType;
  needs: string | null;
}

export interface RenamableField {
  name: string;
  title: string;
  otherNames: string[];
}

export interface OperationDescription {
  name: OperationName;
  /** Fields with a control, in form order; excludes fields that panels own, such as `model`. */
  fields: FieldDescription[];
  /** Types of objects that a panel edits itself, such as `generationConfig`, by API name. */
  objects: Record<string, ObjectShape>;
  renamable: RenamableField[];
  draft: JsonObject;
}

const descriptions = new Map<OperationName, OperationDescription>();

/** Returns the same object on every call. */
export function describeOperation(name: OperationName): OperationDescription {
  const known = descriptions.get(name);
  if (known !== undefined) return known;
  const description = readSchema(name);
  descriptions.set(name, description);
  return description;
}

function readSchema(name: OperationName): OperationDescription {
  const { draft, renamable, needs = {} } = operations[name];
  const { fields, objects, titles } = readRequestFacts(name);
  return {
    name,
    fields: fields.map((facts) => ({
      ...facts,
      needs: needs[facts.name] ?? null,
      get schema() {
        return getFieldSchema(name, facts.name);
      },
    })),
    objects,
    renamable: Object.entries(renamable).map(([field, otherNames]) => ({
      name: field,
      title: getTitle(titles, field),
      otherNames: [...otherNames],
    })),
    draft,
  };
}

function getFieldSchema(name: OperationName, field: string): z.ZodType {
  const schema = requestSchemas[name].shape[field];
  if (schema === undefined) throw new Error(`The ${name} request has no ${field}.`);
  return schema;
}

function getTitle(titles: Record<string, string>, field: string): string {
  const title = titles[field];
  if (title === undefined) throw new Error(`The field ${field} has no title.`);
  return title;
}
