import { memo, type ReactNode, useState } from 'react';
import type { FieldError } from '../../../shared/errors.ts';
import {
  describeOperation,
  type FieldDescription,
  type OperationDescription,
  type RenamableField,
} from '../../../shared/operations/form/describe.ts';
import {
  FORMAT,
  findFormatDefault,
  findReplacedFields,
  findUnsentFields,
} from '../../../shared/operations/formats.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import {
  getParam,
  getParamValue,
  getParamValues,
  getWireNames,
  isSet,
  type Params,
} from '../../../shared/param.ts';
import { useCommands } from '../../lib/commands.ts';
import { findFieldMessage } from '../../lib/field-errors.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Combobox } from '../../ui/combobox.tsx';
import { FoldButton } from '../../ui/fold-button.tsx';
import { WarningIcon } from '../../ui/icons/status.tsx';
import { lazyDialog } from '../../ui/lazy-component.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { UndoBars } from '../../ui/undo-bars.tsx';
import { changeWithUndo } from './change-with-undo.ts';
import { useCheckHints } from './check-hints.ts';
import type { Form } from './form.ts';
import { ParameterField } from './parameter-field.tsx';
import type { PresetConversation } from './parameter-presets.ts';
import styles from './parameter-sidebar.module.css';
import {
  clearParameter,
  getParametersUndoKey,
  resetParameters,
  setParameter,
  typeParameter,
  useDraft,
} from './parameters.ts';
import { FormatPicker } from './run-pickers.tsx';
import { useListedVoices } from './use-listed-voices.ts';
import {
  type Draft,
  extraBodyPath,
  listChangedFields,
  listOverriddenFields,
  readExtraBody,
  withoutFields,
} from './validate-form.ts';

const PresetsDialog = lazyDialog(
  'Presets',
  async () => (await import('./presets-dialog.tsx')).PresetsDialog,
);

interface ParameterSidebarProps {
  form: Form<OperationName>;
  /** Errors from the last request. */
  errors?: readonly FieldError[];
  /** Fields that have a control in the panel, so the sidebar leaves them out. */
  owned?: readonly string[] | undefined;
  variant?: VariantParameters | undefined;
  /** Groups specific to the panel, shown above the extra body fields. */
  children?: ReactNode;
  /** A group specific to the panel that is under More until one of its fields is set. */
  rareChildren?: ReactNode;
  /** The number of set fields in the panel's own groups. */
  ownCount?: number;
  onReset?: () => void;
  /** True if the panel has no other control for the format. */
  hasFormat?: boolean;
  /** The shown conversation, whose settings presets can include. */
  conversation?: PresetConversation | null;
}

export interface VariantParameters {
  own: ReadonlySet<string>;
  onFollow: (name: string) => void;
}

/** Memoized because it has many controls, and panels render often during a run. */
export const ParameterSidebar = memo(function ParameterSidebar(props: ParameterSidebarProps) {
  const { owned = [], ...rest } = props;
  const description = withoutFields(describeOperation(rest.form.operation), [...owned, FORMAT]);
  return <ParameterForm description={description} {...rest} />;
});

interface ParameterFormProps extends Omit<ParameterSidebarProps, 'owned'> {
  description: OperationDescription;
}

function ParameterForm({
  form,
  description,
  errors = [],
  variant,
  children,
  rareChildren = null,
  ownCount = 0,
  onReset,
  hasFormat = false,
  conversation = null,
}: ParameterFormProps) {
  const draft = useDraft(form, description);
  const renamedCount = Object.keys(getWireNames(draft.params)).length;
  const changed = listChangedFields(description, draft);
  const changedCount = changed.length + renamedCount + ownCount;
  const count = variant?.own.size ?? changedCount;
  const [showsPresets, setShowsPresets] = useState(false);
  useCommands([
    {
      id: 'panel.presets',
      title: 'Save or apply a preset',
      group: 'Panel',
      keywords: 'parameters settings presets',
      run: () => setShowsPresets(true),
    },
  ]);
  const groups = (fields: FieldDescription[], titled = true) =>
    [...new Set(fields.map(({ group }) => group))].map((group) => (
      <fieldset
        key={group}
        aria-label={group}
        className={classNames(styles.group, !titled && styles.untitled)}
      >
        {titled && <h3 className={styles.groupTitle}>{group}</h3>}
        {fields.filter((field) => field.group === group).map(renderField)}
      </fieldset>
    ));
  const withVoices = useListedVoices(form);
  const hints = useCheckHints(form);
  const request = getParamValues(draft.params);
  const format = request[FORMAT];
  const unsent = findUnsentFields(form.operation, request);
  const describe = (field: FieldDescription) => {
    const gatewayDefault = findFormatDefault(form.operation, request, field.name);
    return withVoices(gatewayDefault === undefined ? field : { ...field, gatewayDefault });
  };
  /** A field that isn't sent is shown only if it is set, so that it can be found and reset. */
  const isHidden = (field: FieldDescription) =>
    unsent.fields.has(field.name) && !isSet(getParam(draft.params, field.name));
  const renderField = (field: FieldDescription) => (
    <ParameterField
      key={field.name}
      field={describe(field)}
      draft={draft}
      reported={findFieldMessage(errors, field.name)}
      missing={findMissing(field, description, draft)}
      preset={description.draft[field.name]}
      unsentIn={unsent.fields.has(field.name) ? unsent.title : null}
      hint={hints.get(field.name) ?? null}
      isOwn={variant?.own.has(field.name)}
      onFollow={() => variant?.onFollow(field.name)}
      onSet={(value, options) => setParameter(form, field.name, value, options)}
      onType={(text) => typeParameter(form, field, text)}
      onReset={() => clearParameter(form, field.name)}
    />
  );
  const shown = description.fields.filter((field) => !isHidden(field));
  const replaced = findReplacedFields(form.operation, format);
  const rare = shown.filter((field) => isRare(field, description, replaced));
  const isUnderMore = (name: string) => rare.some((field) => field.name === name);
  const setNames = [
    ...[...changed.map(({ name }) => name), ...(variant?.own ?? [])].filter(isUnderMore),
    ...(hasFormat && format !== undefined ? [FORMAT] : []),
    ...(ownCount > 0 ? [ownPath] : []),
    ...(renamedCount > 0 ? [wireNamesPath] : []),
    ...(draft.extraBody.trim() === '' ? [] : [extraBodyPath]),
  ];
  const { isOpen, kept, setOpen } = useMoreFold(setNames);
  const main = shown.filter((field) => !rare.includes(field) || kept.has(field.name));
  const more = rare.filter(({ name }) => !kept.has(name));
  const showsMore =
    rare.length === 0 ||
    isOpen ||
    more.some(({ name }) => findFieldMessage(errors, name) !== null) ||
    errors.some(({ path }) => path[0] === wireNamesPath);
  const formatPicker = (
    <div className={classNames(styles.group, styles.untitled)} data-field={FORMAT}>
      <FormatPicker form={form} isLabeled />
    </div>
  );
  const isTitled = description.fields.filter(({ more }) => !more).length > MAX_UNTITLED;
  return (
    <div className={styles.sidebar}>
      <div className={styles.head}>
        <h2 className={styles.title}>Parameters</h2>
        <span className="grow">
          {count > 0 && <ChangeCount count={count} word={variant ? 'different' : 'changed'} />}
        </span>
        <Button size="small" variant="quiet" onClick={() => setShowsPresets(true)}>
          Presets
        </Button>
        {count > 0 && (
          <Button
            size="small"
            variant="quiet"
            data-focus-fallback="undo"
            onClick={() => {
              const reset = () => {
                resetParameters(form);
                onReset?.();
              };
              const place = getParametersUndoKey(form);
              changeWithUndo(form, reset, 'Parameters reset', { place });
            }}
          >
            Reset all
          </Button>
        )}
      </div>
      <UndoBars place={getParametersUndoKey(form)} className={styles.undo} />
      {showsPresets && (
        <PresetsDialog
          form={form}
          conversation={conversation}
          onClose={() => setShowsPresets(false)}
        />
      )}
      {kept.has(FORMAT) && formatPicker}
      {groups(main, isTitled)}
      {rare.length > 0 && (
        <div className={styles.more}>
          <FoldButton open={showsMore} onOpenChange={setOpen}>
            More
          </FoldButton>
        </div>
      )}
      {showsMore && hasFormat && !kept.has(FORMAT) && formatPicker}
      {showsMore && groups(more)}
      {children}
      {(showsMore || kept.has(ownPath)) && rareChildren}
      {description.renamable.length > 0 && (showsMore || kept.has(wireNamesPath)) && (
        <FieldNames
          fields={description.renamable}
          params={draft.params}
          errors={errors}
          onRename={(field, as) => form.change({ params: { [field]: { as } } }, { typing: true })}
        />
      )}
      {(showsMore || kept.has(extraBodyPath)) && (
        <ExtraBody form={form} description={description} draft={draft} />
      )}
    </div>
  );
}

/** Stands for the panel's own group among the fields that are set. */
const ownPath = 'own';

/** The path of errors in field names. */
const wireNamesPath = 'wireNames';

/** Titles of groups would outnumber this few fields. */
const MAX_UNTITLED = 6;

/** Returns true if the field is under More. Of two fields for one value, the one sent is shown. */
function isRare(
  { name, more }: FieldDescription,
  { fields }: OperationDescription,
  replaced: ReadonlyMap<string, string>,
): boolean {
  if (replaced.has(name)) return true;
  return more && !fields.some((field) => !field.more && replaced.get(field.name) === name);
}

/** Keeps fields in place that were set while More was closed, so that none moves during an edit. */
function useMoreFold(setNames: readonly string[]) {
  const [isOpen, setOpen] = useState(false);
  const [kept, setKept] = useState<ReadonlySet<string>>(() => new Set(setNames));
  if (!isOpen && setNames.some((name) => !kept.has(name))) {
    setKept(new Set([...kept, ...setNames]));
  }
  return {
    isOpen,
    kept,
    setOpen(open: boolean) {
      setOpen(open);
      setKept(new Set(setNames));
    },
  };
}

interface ChangeCountProps {
  count: number;
  word: 'changed' | 'different';
}

/** Shows only the number, which fits beside the buttons with a scroll bar too. */
function ChangeCount({ count, word }: ChangeCountProps) {
  return (
    <Tooltip text={`${count} ${word}`}>
      <span className={styles.count}>
        <span aria-hidden="true">{count}</span>
        <span className="visually-hidden">{`${count} ${word}`}</span>
      </span>
    </Tooltip>
  );
}

/** Returns the title of the required field if that field is off; otherwise, null. */
function findMissing(
  { needs }: FieldDescription,
  { fields }: OperationDescription,
  { params }: Draft,
): string | null {
  if (needs === null || getParamValue(params, needs) === true) return null;
  return fields.find(({ name }) => name === needs)?.title ?? needs;
}

/** Fields that gateways of each operation are known to take beyond the interface. */
const extraExamples: Record<OperationName, string> = {
  chat: '{"top_k": 40}',
  completion: '{"min_p": 0.05}',
  image: '{"guidance_scale": 4}',
  video: '{"negative_prompt": "text, watermark"}',
  rerank: '{"max_chunks_per_doc": 4}',
  embeddings: '{"input_type": "query"}',
  speech: '{"sample_rate": 24000}',
  transcription: '{"hotwords": "Gatehouse"}',
  console: '{}',
};

interface ExtraBodyProps {
  form: Form<OperationName>;
  description: OperationDescription;
  draft: Draft;
}

export function ExtraBody({ form, description, draft }: ExtraBodyProps) {
  const read = readExtraBody(draft.extraBody);
  const overridden = listOverriddenFields(description, draft);
  return (
    <fieldset aria-label="Extra" className={styles.group} data-field={extraBodyPath}>
      <TextArea
        label="Extra JSON"
        value={draft.extraBody}
        onValueChange={(text) => form.change({ extraBody: text }, { typing: true })}
        placeholder={extraExamples[form.operation]}
        error={read.ok ? null : read.message}
        help={
          'JSON object merged into the request body last. Not validated. A file from the library: {"$file": "media:ID"}.'
        }
        monospace
        autoGrow
        rows={3}
        maxRows={14}
      />
      {overridden.length > 0 && (
        <p className={styles.warning} role="status">
          <WarningIcon size={14} />
          <span>
            {overridden.length === 1 ? 'Overrides the field' : 'Overrides the fields'} above:{' '}
            {overridden.join(', ')}.
          </span>
        </p>
      )}
    </fieldset>
  );
}

interface FieldNamesProps {
  fields: readonly RenamableField[];
  params: Params;
  errors: readonly FieldError[];
  onRename: (field: string, name: string) => void;
}

/** Edits the API names of fields that gateways name differently. */
export function FieldNames({ fields, params, errors, onRename }: FieldNamesProps) {
  return (
    <fieldset aria-label="Field names" className={styles.group}>
      <h3 className={styles.groupTitle}>Field names</h3>
      <p className={styles.note}>
        Change a field name if your gateway expects a different one. Leave blank to use the default.
      </p>
      {fields.map((field) => (
        <FieldName
          key={field.name}
          field={field}
          name={getParam(params, field.name).as ?? ''}
          error={findFieldMessage(errors, wireNamesPath, field.name)}
          onName={(name) => onRename(field.name, name)}
        />
      ))}
    </fieldset>
  );
}

interface FieldNameProps {
  field: RenamableField;
  name: string;
  error: string | null;
  onName: (name: string) => void;
}

function FieldName({ field, name, error, onName }: FieldNameProps) {
  const box = {
    label: `${field.title} field name`,
    hideLabel: true,
    placeholder: field.name,
    value: name,
    error,
    onValueChange: onName,
  };
  return (
    <div className={classNames(styles.name, 'stack-4')}>
      <span className="label" aria-hidden="true">
        {field.title}
      </span>
      {field.otherNames.length > 0 ? (
        <Combobox {...box} suggestions={field.otherNames.map((value) => ({ value }))} />
      ) : (
        <TextField {...box} />
      )}
    </div>
  );
}
