import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import {
  describeOperation,
  type FieldDescription,
  type OperationDescription,
} from '../../../shared/operations/form/describe.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { orpc } from '../../lib/api.ts';
import { useConnections } from '../../lib/connections.ts';
import { pluralize } from '../../lib/format-quantity.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/select.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { TextField } from '../../ui/text-field.tsx';
import type { Form } from '../form/form.ts';
import { useConnection } from '../form/use-connection.ts';
import { useForm } from '../form/use-form.ts';
import { useListedVoices } from '../form/use-listed-voices.ts';
import { withoutFields } from '../form/validate-form.ts';
import styles from './compare.module.css';
import type { ComparedInput, ComparedSetting } from './compared-input.ts';
import {
  type AxisResult,
  combineAxes,
  createExtraAxis,
  createFieldAxis,
  createModelAxis,
  createPromptAxis,
  createSettingAxis,
  splitValues,
} from './variant-list.ts';
import { fillVariants, MAX_VARIANTS, useRowCount, useVariants } from './variants.ts';

interface FillDialogProps {
  form: Form<OperationName>;
  input: ComparedInput;
  onClose: () => void;
}

interface FieldList {
  /** A parameter name, `promptList` or `extraList`; empty if nothing is chosen. */
  field: string;
  name: string;
  values: string;
}

const noList: FieldList = { field: '', name: '', values: '' };
// The leading space avoids a clash with names of fields.
const promptList = ' prompt';
const extraList = ' extra';

export function FillDialog({ form, input, onClose }: FillDialogProps) {
  const withVoices = useListedVoices(form);
  const described = withoutFields(describeOperation(form.operation), input.owned ?? []);
  const description = { ...described, fields: described.fields.map(withVoices) };
  const variants = useVariants(form);
  const formRepeats = useForm(form, (values) => values.repeats);
  const repeats = input.isOnce === true ? 1 : formRepeats;
  const { maxVariants = MAX_VARIANTS } = input;
  const rows = useRowCount(form, input);
  const formExtra = useForm(form, (values) => values.extraBody);
  const models = useModelList(form);
  const [lists, setLists] = useState<readonly FieldList[]>([noList, noList]);
  const values = useForm(form, (all) => all.input);
  const settings = useMemo(() => input.settings?.fields(values) ?? [], [input, values]);
  const read = lists.map((list) => readList(list, description, formExtra, settings));
  const axes = [models.axis, ...read.flatMap((one) => (one.ok ? [one.axis] : []))];
  const drafts = axes.every(({ choices }) => choices.length === 0) ? [] : combineAxes(axes);
  const problem = models.isMissing
    ? 'No matching models.'
    : read.some(({ ok }) => !ok)
      ? 'Fix the highlighted values first.'
      : drafts.length === 0
        ? 'Choose models or enter values first.'
        : null;
  const isTouched = models.isTouched || lists.some((list) => list !== noList);
  const tooMany = (count: number) =>
    count > maxVariants ? `${count} variants. The limit is ${maxVariants}.` : null;
  const fill = (place: 'instead' | 'behind') => {
    fillVariants(form, drafts, place);
    onClose();
  };
  return (
    <Dialog
      open
      title="Create variants from a list"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            disabledReason={problem ?? tooMany(variants.length + drafts.length)}
            onClick={() => fill('behind')}
          >
            Add to variants
          </Button>
          <Button
            variant="primary"
            disabledReason={problem ?? tooMany(drafts.length)}
            onClick={() => fill('instead')}
          >
            Replace variants
          </Button>
        </>
      }
    >
      <div className={styles.fill}>
        {models.controls}
        {lists.map((list, at) => (
          <ListFields
            // biome-ignore lint/suspicious/noArrayIndexKey: two lists that keep their places.
            key={at}
            title={at === 0 ? 'Field' : 'Second field'}
            list={list}
            read={read[at]}
            description={description}
            promptLabel={input.promptField?.label ?? null}
            settings={settings}
            onChange={(next) => setLists((before) => before.with(at, next))}
          />
        ))}
        <p className={styles.fillCount} role="status">
          {pluralize(drafts.length, 'variant')}
          {rows > 1 && ` × ${rows} ${(input.promptField?.several ?? '').toLowerCase()}`}
          {repeats > 1 && ` × ${repeats} repeats`}
          {': '}
          {pluralize(drafts.length * rows * repeats, 'request')}
          {drafts.length > maxVariants && (
            <span
              className={isTouched ? styles.fillProblem : undefined}
            >{`. The limit is ${maxVariants} variants.`}</span>
          )}
        </p>
      </div>
    </Dialog>
  );
}

function useModelList(form: Form<OperationName>) {
  const { connections } = useConnections();
  const formConnection = useConnection(form);
  const [chosenId, setChosenId] = useState<string | null>(null);
  const [filter, setFilter] = useState('');
  const [isOn, setOn] = useState(true);
  const connectionId = chosenId ?? formConnection?.id ?? '';
  const { data } = useQuery({
    ...orpc.models.suggest.queryOptions({ input: { connectionId, operation: form.operation } }),
    enabled: connectionId !== '',
  });
  const all = data?.models ?? [];
  const words = filter.trim().toLowerCase();
  const fitting = all.filter(({ fits }) => fits !== false).map(({ id }) => id);
  const [excluded, setExcluded] = useState<ReadonlySet<string>>(new Set());
  const matching = fitting.filter((id) => id.toLowerCase().includes(words));
  const chosen = isOn ? matching.filter((id) => !excluded.has(id)) : [];
  const controls = (
    <fieldset className={styles.fillGroup}>
      <legend className="visually-hidden">Models</legend>
      <Select
        label="Models"
        value={isOn ? 'some' : 'form'}
        options={[
          { value: 'form', label: 'Panel’s model' },
          { value: 'some', label: 'Models matching…' },
        ]}
        onValueChange={(value) => setOn(value === 'some')}
      />
      {isOn && (
        <>
          <Select
            label="Connection"
            value={connectionId}
            options={connections.map(({ id, name }) => ({ value: id, label: name }))}
            onValueChange={setChosenId}
          />
          <TextField
            label="Name contains"
            value={filter}
            onValueChange={setFilter}
            placeholder="All models"
            help={matching.length === 0 ? (data?.listProblem ?? 'No matching models') : undefined}
          />
          <CheckList
            label="Chosen models"
            options={matching.map((id) => ({ value: id, label: id }))}
            isChecked={(id) => !excluded.has(id)}
            onToggle={(ids, isOn) =>
              setExcluded((before) => {
                const next = new Set(before);
                for (const id of ids) isOn ? next.delete(id) : next.add(id);
                return next;
              })
            }
          />
        </>
      )}
    </fieldset>
  );
  return {
    controls,
    isTouched: chosenId !== null || filter !== '' || excluded.size > 0 || !isOn,
    /** True if no model matches or the list is still loading. */
    isMissing: isOn && chosen.length === 0,
    axis: createModelAxis(connectionId, connectionId !== formConnection?.id, chosen),
  };
}

function readList(
  { field, name, values }: FieldList,
  description: OperationDescription,
  formExtra: string,
  settings: readonly ComparedSetting[],
): AxisResult {
  if (field === '' || values.trim() === '') return { ok: true, axis: { choices: [] } };
  if (field === promptList) return { ok: true, axis: createPromptAxis(values) };
  if (field === extraList) {
    return name.trim() === ''
      ? { ok: false, message: 'Enter the field’s name first.' }
      : { ok: true, axis: createExtraAxis(name.trim(), values, formExtra) };
  }
  if (settings.some(({ name: own }) => own === field)) {
    return { ok: true, axis: createSettingAxis(field, values) };
  }
  const described = description.fields.find((one) => one.name === field);
  return described === undefined
    ? { ok: true, axis: { choices: [] } }
    : createFieldAxis(described, values);
}

interface ListFieldsProps {
  title: string;
  list: FieldList;
  read: AxisResult | undefined;
  description: OperationDescription;
  promptLabel: string | null;
  settings: readonly ComparedSetting[];
  onChange: (list: FieldList) => void;
}

function ListFields(props: ListFieldsProps) {
  const { title, list, read, description, promptLabel, settings, onChange } = props;
  const described = description.fields.find(({ name }) => name === list.field);
  const listed = described === undefined ? [] : listKnownValues(described);
  const chosen = splitValues(list.values, /[,\n]/);
  return (
    <fieldset className={styles.fillGroup}>
      <legend className="visually-hidden">{title}</legend>
      <Select
        label={title}
        value={list.field}
        options={[
          { value: '', label: 'None' },
          ...(promptLabel === null ? [] : [{ value: promptList, label: promptLabel }]),
          ...settings.map(({ name, label }) => ({ value: name, label })),
          ...description.fields.map(({ name, title: label }) => ({ value: name, label })),
          { value: extraList, label: 'Extra JSON field…' },
        ]}
        onValueChange={(field) => onChange({ ...list, field })}
      />
      {list.field === extraList && (
        <TextField
          label="Field name"
          value={list.name}
          placeholder="top_k"
          monospace
          onValueChange={(name) => onChange({ ...list, name })}
        />
      )}
      {listed.length > 0 && (
        <CheckList
          label={`Known values for ${title.toLowerCase()}`}
          options={listed}
          isChecked={(value) => chosen.includes(value)}
          onToggle={(values, isOn) => {
            const others = chosen.filter((value) => !values.includes(value));
            onChange({ ...list, values: [...others, ...(isOn ? values : [])].join(', ') });
          }}
        />
      )}
      {list.field !== '' && (
        <TextArea
          label={`Values for ${title.toLowerCase()}`}
          value={list.values}
          placeholder={getExample(described)}
          help={list.field === promptList ? 'One per line.' : 'Separated by commas or line breaks.'}
          error={read === undefined || read.ok ? null : read.message}
          autoGrow
          rows={2}
          maxRows={8}
          spellCheck={list.field === promptList}
          onValueChange={(values) => onChange({ ...list, values })}
        />
      )}
    </fieldset>
  );
}

/** Lists the values that the gateway or the interface names; other ones can be typed. */
function listKnownValues({ options, suggestions, control }: FieldDescription): CheckOption[] {
  if (['json', 'multiline', 'lines'].includes(control)) return [];
  const known = options.length > 0 ? options.map((value) => ({ value, name: value })) : suggestions;
  return known.map(({ value, name }) => ({ value, label: name ?? value }));
}

interface CheckOption {
  value: string;
  label: string;
}

interface CheckListProps {
  label: string;
  options: readonly CheckOption[];
  isChecked: (value: string) => boolean;
  onToggle: (values: readonly string[], isOn: boolean) => void;
}

function CheckList({ label, options, isChecked, onToggle }: CheckListProps) {
  const checked = options.filter(({ value }) => isChecked(value)).length;
  if (options.length === 0) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset can't scroll everywhere.
    <div role="group" aria-label={label} className={styles.checkList}>
      <Checkbox
        checked={checked === options.length}
        indeterminate={checked > 0 && checked < options.length}
        onCheckedChange={(isOn) =>
          onToggle(
            options.map(({ value }) => value),
            isOn,
          )
        }
      >
        All {options.length}
      </Checkbox>
      {options.map(({ value, label: name }) => (
        <Checkbox
          key={value}
          checked={isChecked(value)}
          onCheckedChange={(isOn) => onToggle([value], isOn)}
        >
          <span className="truncate">{name}</span>
        </Checkbox>
      ))}
    </div>
  );
}

function getExample(field: FieldDescription | undefined): string {
  if (field === undefined) return '';
  const words = [...field.options, ...field.suggestions.map(({ value }) => value)];
  if (words.length > 0) return words.slice(0, 3).join(', ');
  const { minimum, maximum, control } = field;
  if (control === 'switch') return 'on, off';
  if (minimum !== null && maximum !== null) return `${minimum}, ${maximum}`;
  return '';
}
