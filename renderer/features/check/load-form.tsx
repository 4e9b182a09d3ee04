import type { LoadFigure } from '../../../shared/checks/check.ts';
import { promptOperations } from '../../../shared/checks/load/load-request.ts';
import { MIN_SAMPLES } from '../../../shared/checks/load/percentiles.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { getPanelLabel } from '../../lib/panels.ts';
import { NumberField } from '../../ui/number-field.tsx';
import { Select } from '../../ui/select.tsx';
import { Switch } from '../../ui/switch.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './check.module.css';
import {
  changeLoad,
  findLoadProblems,
  type LoadNumber,
  loadNumbers,
  useCheckStore,
} from './check-store.ts';
import { TargetFields } from './target-fields.tsx';

export const loadFigures = {
  firstTokenMs: 'First token',
  betweenTokensMs: 'Between tokens',
  totalMs: 'Total time',
};

const figures = Object.keys(loadFigures) as LoadFigure[];
const percentiles = { '50': 50, '90': 90, '95': 95, '99': 99 } as const;

/** Returns false if the response comes whole, such as embeddings. */
export function hasTokens(operation: OperationName): boolean {
  return operation === 'chat' || operation === 'completion';
}

export function LoadForm() {
  const draft = useCheckStore(({ load }) => load);
  const problems = findLoadProblems(draft);
  const renderNumber = (name: LoadNumber) => (
    <NumberField
      key={name}
      {...loadNumbers[name]}
      value={draft[name]}
      placeholder="None"
      error={problems[name] ?? null}
      onValueChange={(value) => changeLoad({ [name]: value })}
    />
  );
  return (
    <>
      <p className="caption">
        N users, each sending again when answered. Load only gateways that you may load.
      </p>
      <TargetFields operation={draft.operation} />
      <Select
        label="Operation"
        value={draft.operation}
        options={promptOperations.map((name) => ({ value: name, label: getPanelLabel(name) }))}
        onValueChange={(operation) =>
          changeLoad({
            operation,
            ...(draft.figure !== '' && !hasTokens(operation) && { figure: 'totalMs' }),
          })
        }
      />
      <TextArea
        label="Prompt"
        value={draft.prompt}
        autoGrow
        rows={2}
        maxRows={8}
        onValueChange={(prompt) => changeLoad({ prompt })}
      />
      <Switch
        label="Each line is a prompt"
        checked={draft.isPerLine}
        onCheckedChange={(isPerLine) => changeLoad({ isPerLine })}
      />
      <TextField
        label="Stages"
        value={draft.stages}
        error={problems.stages ?? null}
        help="Requests at once, one stage after the other."
        onValueChange={(stages) => changeLoad({ stages })}
      />
      <div className={styles.pair}>
        {renderNumber('stageRequests')}
        {renderNumber('warmup')}
        {hasTokens(draft.operation) && renderNumber('maxTokens')}
      </div>
      <fieldset className={styles.pair}>
        <legend className="heading">Stop at</legend>
        {(['maxRequests', 'maxSeconds', 'maxDollars', 'maxErrorPercent'] as const).map(
          renderNumber,
        )}
      </fieldset>
      <fieldset className={styles.pair}>
        <legend className="heading">Target</legend>
        <Select
          label="Metric"
          value={draft.figure}
          options={[
            { value: '', label: 'None' },
            ...figures
              .filter((value) => value === 'totalMs' || hasTokens(draft.operation))
              .map((value) => ({ value, label: loadFigures[value] })),
          ]}
          onValueChange={(figure) => changeLoad({ figure })}
        />
        {draft.figure !== '' && (
          <>
            <Select
              label="Percentile"
              value={`${draft.percentile}`}
              options={(Object.keys(percentiles) as (keyof typeof percentiles)[]).map((value) => ({
                value,
                label: `p${value}`,
              }))}
              onValueChange={(chosen) => changeLoad({ percentile: percentiles[chosen] })}
            />
            {renderNumber('targetMs')}
            <p className={`hint ${styles.targetHint}`}>
              p{draft.percentile} needs {MIN_SAMPLES[draft.percentile]} requests or more per stage.
            </p>
          </>
        )}
      </fieldset>
    </>
  );
}
