import { type ChatFormat, chatFormatSchema } from '../../../shared/checks/check.ts';
import { probeRows } from '../../../shared/checks/probe/rows.ts';
import { listFormats } from '../../../shared/operations/formats.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { pluralize } from '../../lib/format-quantity.ts';
import { getOperationLabel } from '../../run/check/listed-check.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import styles from './check.module.css';
import { changeProbe, useCheckStore } from './check-store.ts';
import { TargetFields } from './target-fields.tsx';

const operationNames = [...new Set(probeRows.map(({ operation }) => operation))];

export function getFormatTitle(format: ChatFormat): string {
  return listFormats('chat').find(({ name }) => name === format)?.title ?? '';
}

/** Returns the operation whose models are suggested. */
export function getMainOperation(operations: readonly OperationName[]): OperationName {
  return operations.find((operation) => operation !== 'console') ?? 'chat';
}

export function ProbeForm() {
  const { formats, operations } = useCheckStore(({ probe }) => probe);
  return (
    <>
      <TargetFields operation={getMainOperation(operations)} />
      <Choices
        legend="Ask about"
        options={operationNames}
        chosen={operations}
        getLabel={getOperationLabel}
        getNote={describeRows}
        onChoose={(chosen) => changeProbe({ operations: chosen })}
      />
      {operations.includes('chat') && (
        <Choices
          legend="Chat formats"
          options={chatFormatSchema.options}
          chosen={formats}
          getLabel={getFormatTitle}
          onChoose={(chosen) => changeProbe({ formats: chosen })}
        />
      )}
    </>
  );
}

export const isExpensive = (name: OperationName) => name === 'video';

function describeRows(name: OperationName): string {
  const rows = probeRows.filter(({ operation }) => operation === name);
  const count = pluralize(rows.length, 'row');
  return isExpensive(name) ? `expensive · ${count}` : count;
}

interface ChoicesProps<Option extends string> {
  legend: string;
  options: readonly Option[];
  chosen: readonly Option[];
  getLabel: (option: Option) => string;
  getNote?: (option: Option) => string;
  onChoose: (chosen: Option[]) => void;
}

function Choices<Option extends string>(props: ChoicesProps<Option>) {
  const { legend, options, chosen, getLabel, getNote, onChoose } = props;
  return (
    <fieldset>
      <legend className="heading">{legend}</legend>
      {options.map((option) => (
        <Checkbox
          key={option}
          checked={chosen.includes(option)}
          onCheckedChange={(isOn) =>
            onChoose(options.filter((each) => (each === option ? isOn : chosen.includes(each))))
          }
          className={styles.choice}
        >
          <span className="grow">{getLabel(option)}</span>
          <span className="hint">{getNote?.(option)}</span>
        </Checkbox>
      ))}
    </fieldset>
  );
}
