import { useCallback, useMemo, useState } from 'react';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { pluralize } from '../../lib/format-quantity.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { PlusIcon } from '../../ui/icons/actions.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { Popover } from '../../ui/popover.tsx';
import { Switch } from '../../ui/switch.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { UndoBars } from '../../ui/undo-bars.tsx';
import type { Form } from '../form/form.ts';
import { useForm } from '../form/use-form.ts';
import styles from './compare.module.css';
import { FillDialog } from './fill-dialog.tsx';
import { useSendQuestion } from './send-comparison.ts';
import type { Comparing } from './use-comparing.ts';
import { VariantCard } from './variant-card.tsx';
import {
  addVariant,
  getVariantsUndoKey,
  type ListedVariant,
  MAX_VARIANTS,
  useRowCount,
  useVariants,
} from './variants.ts';

export function VariantBar({ compare }: { compare: Comparing }) {
  const { form, input, comparisonId } = compare;
  const isBlind = useForm(form, ({ blind }) => blind);
  const variants = useVariants(form);
  const repeats = useForm(form, (values) => values.repeats);
  const values = useForm(form, (all) => all.input);
  const settings = useMemo(() => input.settings?.fields(values) ?? [], [input, values]);
  const [addedId, setAddedId] = useState<string | null>(null);
  const [names, setNames] = useState<Readonly<Record<string, string>>>({});
  const onNamed = useCallback(
    (id: string, name: string) => setNames((before) => ({ ...before, [id]: name })),
    [],
  );
  const [fills, setFills] = useState(false);
  const { owned, maxVariants = MAX_VARIANTS, isOnce = false } = input;
  const rows = useRowCount(form, input);
  /** The requests of each variant; with one, the chips say how many there are. */
  const times = rows * (isOnce ? 1 : repeats);
  const active = variants.filter(({ excluded }) => !excluded).length;
  return (
    <section aria-label="Variants" className={styles.variants}>
      <div className={styles.bar}>
        <div className={styles.cards}>
          {variants.map((variant, at) => (
            <VariantCard
              key={variant.id}
              form={form}
              variant={variant}
              isFirst={at === 0}
              isLast={at === variants.length - 1}
              number={numberAlike(variants, names, variant)}
              onNamed={onNamed}
              isNew={variant.id === addedId}
              promptLabel={input.promptField?.label ?? null}
              settings={settings}
              owned={owned}
            />
          ))}
          <Button
            size="small"
            icon={<PlusIcon size={14} />}
            disabledReason={
              variants.length < maxVariants ? null : `The limit is ${maxVariants} variants.`
            }
            onClick={() => setAddedId(addVariant(form))}
          >
            Add variant
          </Button>
          <Button size="small" variant="quiet" onClick={() => setFills(true)}>
            From a list…
          </Button>
        </div>
        <div className={styles.barEnd}>
          {comparisonId === null && (
            <Switch
              label="Blind"
              checked={isBlind}
              onCheckedChange={(blind) => form.change({ blind })}
            />
          )}
          {input.promptField?.several !== undefined && (
            <MorePrompts form={form} several={input.promptField.several} rows={rows} />
          )}
          {!isOnce && (
            <NumberField
              label="Repeats"
              className={styles.repeats}
              placeholder="1"
              value={repeats}
              min={1}
              max={100}
              onValueChange={(value) => {
                if (value !== null && Number.isInteger(value) && value >= 1 && value <= 100)
                  form.change({ repeats: value }, { typing: true });
              }}
            />
          )}
          {times > 1 && (
            <span className={styles.count}>{pluralize(active * times, 'request')}</span>
          )}
        </div>
      </div>
      <UndoBars place={getVariantsUndoKey(form)} className={styles.undo} />
      {fills && <FillDialog form={form} input={input} onClose={() => setFills(false)} />}
      <SendQuestionDialog formId={form.id} />
    </section>
  );
}

/** Numbers identical-looking variants, included ones first; null for unique ones. */
function numberAlike(
  variants: readonly ListedVariant[],
  names: Readonly<Record<string, string>>,
  variant: ListedVariant,
): number | null {
  const alike = variants
    .filter(({ id }) => names[id] === names[variant.id])
    .toSorted((one, other) => Number(one.excluded) - Number(other.excluded));
  return alike.length < 2 ? null : alike.indexOf(variant) + 1;
}

function SendQuestionDialog({ formId }: { formId: string }) {
  const question = useSendQuestion((state) => state.question);
  if (question === null || question.formId !== formId) return null;
  const requests = pluralize(question.requests, 'request');
  return (
    <ConfirmDialog
      open
      title={`Send ${requests}?`}
      confirmLabel={`Send ${requests}`}
      onConfirm={() => question.answer(true)}
      onClose={() => question.answer(false)}
    >
      <p>Each request may be billed. You can stop the comparison at any time.</p>
    </ConfirmDialog>
  );
}

interface MorePromptsProps {
  form: Form<OperationName>;
  several: string;
  rows: number;
}

export function MorePrompts({ form, several, rows }: MorePromptsProps) {
  const morePrompts = useForm(form, (values) => values.morePrompts);
  const label = `More ${several.toLowerCase()}`;
  return (
    <Popover
      label={`${several}: ${rows}`}
      title={label}
      side="bottom"
      wide
      className={styles.prompts}
      trigger={`${several}: ${rows}`}
    >
      <TextArea
        label={label}
        value={morePrompts}
        help="One per line; use \n for a line break. Each adds a row; duplicates are ignored."
        autoGrow
        rows={4}
        maxRows={12}
        onValueChange={(text) => form.change({ morePrompts: text }, { typing: true })}
      />
    </Popover>
  );
}
