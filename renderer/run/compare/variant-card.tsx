import { Fragment, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Combobox } from '../../ui/combobox.tsx';
import { WarningIcon } from '../../ui/icons/status.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Popover } from '../../ui/popover.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import type { Form } from '../form/form.ts';
import { ParameterSidebar } from '../form/parameter-sidebar.tsx';
import { useDraft } from '../form/parameters.ts';
import { LabeledPickers } from '../form/run-pickers.tsx';
import { useFormConnection } from '../form/use-connection.ts';
import { useReadyRun } from '../form/use-ready-run.ts';
import styles from './compare.module.css';
import { type ComparedSetting, pickDifferingSettings } from './compared-input.ts';
import { getVariantForm, pickOwnParameters } from './variant-form.ts';
import { listDifferences } from './variant-labels.ts';
import {
  changeVariant,
  duplicateVariant,
  type ListedVariant,
  moveVariant,
  removeVariant,
  resetToForm,
  useVariantEditor,
} from './variants.ts';

interface VariantCardProps {
  form: Form<OperationName>;
  variant: ListedVariant;
  isFirst: boolean;
  isLast: boolean;
  promptLabel: string | null;
  settings: readonly ComparedSetting[];
  owned: readonly string[] | undefined;
  /** Tells apart variants that look the same; matches the number above the result column. */
  number: number | null;
  onNamed: (id: string, name: string) => void;
  isNew: boolean;
}

export function VariantCard(props: VariantCardProps) {
  const { form, variant, isFirst, isLast, promptLabel, settings, owned, number, onNamed, isNew } =
    props;
  const own = getVariantForm(form, variant.id);
  const [isOpen, setOpen] = useState(isNew);
  /** A new variant has the model of the one before, so its model is what the user changes first. */
  const [startsAtModel, setStartsAtModel] = useState(isNew);
  useVariantEditor(variant.id, () => setOpen(true));
  const { model, blocked } = useReadyRun(own, owned);
  const differences = useDifferences(form, variant, owned, settings);
  const defaultName = model === '' ? 'Choose a model' : model;
  const ownName = variant.name === '' ? defaultName : variant.name;
  const name = number === null ? ownName : `${ownName} (${number})`;
  const ownModel = variant.name !== '' && variant.name !== model && model !== '' ? [model] : [];
  const labels = [...ownModel, ...differences.map(({ label }) => label)];
  const wholeName = [name, ...labels].join(' ');
  const words = JSON.stringify([ownName, labels]);
  useLayoutEffect(() => onNamed(variant.id, words), [variant.id, words, onNamed]);
  const group = useRef<HTMLFieldSetElement>(null);
  const warns = !variant.excluded && blocked?.isLoading !== true;
  const problem = warns ? (blocked?.reason ?? null) : null;

  return (
    <fieldset
      ref={group}
      aria-label={name}
      className={classNames(styles.card, variant.excluded && styles.excluded)}
    >
      <Popover
        label={`Edit ${wholeName}`}
        title="Edit variant"
        side="bottom"
        align="start"
        wide
        open={isOpen}
        onOpenChange={(open) => {
          setOpen(open);
          if (!open) setStartsAtModel(false);
        }}
        className={styles.cardTrigger}
        initialFocus={startsAtModel || model === '' ? openModels : undefined}
        trigger={
          <>
            {problem !== null && (
              <Tooltip text={problem}>
                <span className={styles.problem}>
                  <WarningIcon size={14} />
                  <span className="visually-hidden">{problem}</span>
                </span>
              </Tooltip>
            )}
            <span className={styles.cardName}>{name}</span>
            {labels.map((label) => (
              <Fragment key={label}>
                {' '}
                <span className={styles.difference}>{label}</span>
              </Fragment>
            ))}
          </>
        }
      >
        <VariantEditor
          form={form}
          variant={variant}
          defaultName={defaultName}
          promptLabel={promptLabel}
          settings={settings}
          owned={owned}
        />
      </Popover>
      <Menu
        label={`More actions for ${wholeName}`}
        size="small"
        items={[
          { id: 'edit', label: 'Edit', onSelect: () => setOpen(true) },
          {
            id: 'duplicate',
            label: 'Duplicate',
            onSelect: () => void duplicateVariant(form, variant.id),
          },
          {
            id: 'exclude',
            label: variant.excluded ? 'Include' : 'Exclude',
            onSelect: () => changeVariant(form, variant.id, { excluded: !variant.excluded }),
          },
          {
            id: 'left',
            label: 'Move left',
            disabled: isFirst,
            onSelect: () => moveVariant(form, variant.id, -1),
          },
          {
            id: 'right',
            label: 'Move right',
            disabled: isLast,
            onSelect: () => moveVariant(form, variant.id, 1),
          },
          'separator',
          {
            id: 'remove',
            label: 'Remove',
            danger: true,
            onSelect: () => {
              focusNeighbor(group.current);
              removeVariant(form, variant.id);
            },
          },
        ]}
      />
    </fieldset>
  );
}

/** Opens the model list of the editor that just appeared, and returns its text box. */
function openModels(popup: HTMLElement): HTMLElement | null {
  const models = popup.querySelector<HTMLInputElement>('[data-field="model"] input');
  // The user may type before the list opens, which would otherwise select the text.
  models?.select();
  // Wait two frames, because the popover moves the text box that the list is positioned at.
  if (models !== null) requestAnimationFrame(() => requestAnimationFrame(() => models.click()));
  return models;
}

function useDifferences(
  form: Form<OperationName>,
  variant: ListedVariant,
  owned: readonly string[] | undefined,
  fields: readonly ComparedSetting[],
) {
  const own = getVariantForm(form, variant.id);
  const { description } = useReadyRun(own, owned);
  const draft = useDraft(form, description);
  const ownDraft = useDraft(own, description);
  const connection = useFormConnection(form).connection?.name ?? '';
  const ownConnection = useFormConnection(own).connection?.name ?? '';
  return useMemo(() => {
    return listDifferences(
      description,
      { connectionName: connection, draft },
      {
        connectionName: ownConnection,
        draft: ownDraft,
        prompt: variant.prompt,
        settings: pickDifferingSettings(fields, variant.settings),
      },
    );
  }, [
    description,
    draft,
    ownDraft,
    connection,
    ownConnection,
    variant.prompt,
    variant.settings,
    fields,
  ]);
}

/** Focuses a neighboring card, or else the control after the cards. */
function focusNeighbor(card: HTMLElement | null): void {
  const neighbor = card?.nextElementSibling ?? card?.previousElementSibling;
  const control =
    neighbor?.matches('button') === true ? neighbor : neighbor?.querySelector('button');
  if (control instanceof HTMLElement) control.focus();
}

interface VariantEditorProps {
  form: Form<OperationName>;
  variant: ListedVariant;
  defaultName: string;
  /** Null if variants can't have their own text. */
  promptLabel: string | null;
  settings: readonly ComparedSetting[];
  owned: readonly string[] | undefined;
}

export function VariantEditor(props: VariantEditorProps) {
  const { form, variant, defaultName, promptLabel, settings, owned } = props;
  const own = getVariantForm(form, variant.id);
  const parameters = useMemo(() => pickOwnParameters(variant), [variant]);
  const hasOwnExtra = variant.extraBody !== null;
  // While the editor is open, keep settings that the form no longer has.
  const [set] = useState(() => Object.keys(variant.settings));
  const others = set.filter((name) => settings.every((field) => field.name !== name));
  return (
    <div className={styles.editor}>
      <TextField
        label="Name"
        value={variant.name}
        maxLength={80}
        placeholder={defaultName}
        onValueChange={(name) => changeVariant(form, variant.id, { name }, { typing: true })}
      />
      <LabeledPickers form={own} />
      {variant.connectionId !== null && (
        <Button
          size="small"
          variant="quiet"
          onClick={() => changeVariant(form, variant.id, { connectionId: null })}
        >
          Use panel’s connection
        </Button>
      )}
      {Object.keys(variant.models).length > 0 && (
        <Button
          size="small"
          variant="quiet"
          onClick={() => changeVariant(form, variant.id, { models: {} })}
        >
          Use panel’s model
        </Button>
      )}
      {promptLabel !== null && (
        <TextArea
          label={`${promptLabel} for this variant`}
          value={variant.prompt ?? ''}
          placeholder="Same as panel"
          autoGrow
          rows={1}
          maxRows={8}
          onValueChange={(text) =>
            changeVariant(form, variant.id, { prompt: text === '' ? null : text }, { typing: true })
          }
        />
      )}
      {[...settings, ...others.map(createSetting)].map(({ name, label, suggestions }) => (
        <Combobox
          key={name}
          label={label}
          value={variant.settings[name] ?? ''}
          suggestions={suggestions.map((value) => ({ value }))}
          placeholder="Same as panel"
          onValueChange={(text) => {
            const { [name]: _, ...others } = variant.settings;
            const set = text.trim() === '' ? others : { ...others, [name]: text.trim() };
            changeVariant(form, variant.id, { settings: set }, { typing: true });
          }}
        />
      ))}
      <ParameterSidebar
        form={own}
        owned={owned}
        variant={{ own: parameters, onFollow: (name) => resetToForm(form, variant.id, name) }}
      />
      {hasOwnExtra && (
        <Button
          size="small"
          variant="quiet"
          onClick={() => changeVariant(form, variant.id, { extraBody: null })}
        >
          Use panel’s extra body fields
        </Button>
      )}
    </div>
  );
}

function createSetting(name: string): ComparedSetting {
  return { name, label: name, value: '', suggestions: [] };
}
