import { useMemo, useState } from 'react';
import { isJsonObject, type JsonObject } from '../../../shared/json.ts';
import { getParam, getParamValues, isSet, type Params } from '../../../shared/param.ts';
import { parseJson } from '../../../shared/parse-json.ts';
import { findJsonProblem } from '../../lib/format-json-error.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { ParameterControl } from '../form/parameter-control.tsx';
import { readParam } from '../form/parameters.ts';
import { findFieldProblem } from '../form/validate-form.ts';
import styles from './mcp.module.css';
import {
  createOffSwitches,
  findSchemaProblem,
  listSchemaFields,
  type SchemaField,
  toParams,
} from './schema-fields.ts';

interface SchemaDraft {
  fields: readonly SchemaField[];
  params: Params;
  /** The text of the JSON view; null while the form is shown. */
  json: string | null;
  /** The first thing that the user must correct; null if the values can be sent. */
  problem: string | null;
  values: JsonObject;
  setParams: (params: Params) => void;
  setJson: (json: string | null) => void;
}

/** Holds the values for a JSON Schema, which the user edits as a form or as JSON. */
export function useSchemaDraft(
  schema: JsonObject,
  getInitial: (fields: readonly SchemaField[]) => Params = () => ({}),
): SchemaDraft {
  const fields = useMemo(() => listSchemaFields(schema), [schema]);
  const [params, setParams] = useState(() => ({
    ...createOffSwitches(fields),
    ...getInitial(fields),
  }));
  const [json, setJson] = useState<string | null>(null);
  const typed = json === null ? null : parseJson(json.trim() === '' ? '{}' : json);
  const values = isJsonObject(typed) ? typed : getParamValues(params);
  const isText = json !== null && !isJsonObject(typed);
  const textProblem = isText ? (findJsonProblem(json)?.message ?? 'Enter a JSON object.') : null;
  return {
    fields,
    params,
    json,
    problem: json === null ? findSchemaProblem(fields, params) : textProblem,
    values,
    setParams,
    setJson,
  };
}

interface SchemaFormProps {
  /** Names what is edited, such as “Arguments of echo”. */
  label: string;
  draft: SchemaDraft;
}

const views = [
  { value: 'form', label: 'Form' },
  { value: 'json', label: 'JSON' },
] as const;

export function SchemaForm({ label, draft }: SchemaFormProps) {
  const { fields, params, json, problem, values, setParams, setJson } = draft;
  const show = (view: 'form' | 'json') => {
    if (view === 'json') setJson(JSON.stringify(values, null, 2));
    else if (problem === null) {
      setParams(toParams(values));
      setJson(null);
    }
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a border and its own legend.
    <div role="group" aria-label={label} className="stack-12">
      <Segmented
        label={`${label} as`}
        value={json === null ? 'form' : 'json'}
        options={views}
        onValueChange={show}
      />
      {json !== null && (
        <TextArea
          label={`${label} as JSON`}
          hideLabel
          monospace
          autoGrow
          rows={4}
          maxRows={20}
          spellCheck={false}
          error={problem}
          value={json}
          onValueChange={setJson}
        />
      )}
      {json === null && fields.length === 0 && <p className="caption">It takes no arguments.</p>}
      {json === null &&
        fields.map((field) => (
          <SchemaControl
            key={field.name}
            field={field}
            params={params}
            onChange={(param) => setParams({ ...params, [field.name]: param })}
          />
        ))}
    </div>
  );
}

interface SchemaControlProps {
  field: SchemaField;
  params: Params;
  onChange: (param: Params[string]) => void;
}

function SchemaControl({ field, params, onChange }: SchemaControlProps) {
  const param = getParam(params, field.name);
  const note = [field.required ? 'Required.' : '', field.description].join(' ').trim();
  return (
    <div className={styles.field}>
      <ParameterControl
        field={field}
        value={param.value}
        typedText={param.text}
        set={isSet(param)}
        error={findFieldProblem(field, { params })}
        onSet={(value, { text } = {}) => onChange(text === undefined ? { value } : { value, text })}
        onType={(text) => onChange(readParam(field, text))}
      />
      {note !== '' && <p className="caption">{note}</p>}
    </div>
  );
}
