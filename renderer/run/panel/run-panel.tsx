import type { ComponentType, ReactNode } from 'react';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { classNames } from '../../ui/class-names.ts';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import type { ComparePanel } from '../compare/compare-panel.ts';
import type { ComparisonViewProps } from '../compare/comparison-view.tsx';
import type { Form } from '../form/form.ts';
import { FormProblem } from '../form/form-problem.tsx';
import { ParameterSidebar } from '../form/parameter-sidebar.tsx';
import { RunPickers } from '../form/run-pickers.tsx';
import { RunError } from '../frame/run-error.tsx';
import { EarlierInput } from './earlier-input.tsx';
import styles from './panel-frame.module.css';
import { PanelFrame, type PanelFrameProps } from './panel-frame.tsx';
import type { PanelRun } from './use-panel-run.ts';

interface RunPanelProps extends PanelFrameProps {
  form: Form<OperationName>;
  run: PanelRun;
}

/** Renders a panel that runs its form. */
export function RunPanel({ form, run, ...props }: RunPanelProps) {
  return (
    <PanelFrame
      pickers={<RunPickers form={form} />}
      compare={run.compare}
      sidebar={<ParameterSidebar form={form} errors={run.fieldErrors} />}
      onStop={() => void run.stop()}
      running={run.running}
      runBusy={run.starting}
      runBlocked={run.blocked}
      {...props}
    />
  );
}

/** Lets the panel's fields scroll together with the result. */
export function PanelScroller({ children }: { children: ReactNode }) {
  return <div className={styles.scroller}>{children}</div>;
}

interface SplitPanelProps {
  fields: ReactNode;
  /** True if a wide result needs the whole width, below the fields. */
  isStacked?: boolean;
  children: ReactNode;
}

/** Lets the panel's fields scroll separately, next to the result. */
export function SplitPanel({ fields, isStacked = false, children }: SplitPanelProps) {
  return (
    <div className={classNames('fill', isStacked && styles.stacked)}>
      <div className={classNames(styles.fields, 'stack-12')}>{fields}</div>
      <div className={classNames(styles.outcome, 'stack-12')}>{children}</div>
    </div>
  );
}

type ComparisonProps = Omit<ComparisonViewProps, 'panel'>;

interface RunOutcomeProps {
  form: Form<OperationName>;
  run: Pick<PanelRun, 'problem' | 'retry' | 'compare' | 'runId'>;
  /** Retries starting the run after a failure. */
  onRetry?: () => void;
  Comparison: ComponentType<ComparisonProps>;
  /** True if the result itself says which input it belongs to. */
  namesInput?: boolean;
  empty: ReactNode;
  children: (runId: string) => ReactNode;
}

/** Shows the panel's problems, then its comparison or result. */
export function RunOutcome(props: RunOutcomeProps) {
  const { form, run, onRetry, Comparison, namesInput = false, empty, children } = props;
  const { problem, retry, compare, runId } = run;
  return (
    <>
      <FormProblem form={form} />
      {problem !== null && <RunError error={problem} onRetry={retry ?? onRetry} />}
      {compare.isOn ? (
        <Comparison compare={compare} empty={empty} />
      ) : runId === null ? (
        empty
      ) : (
        <>
          {!namesInput && <EarlierInput form={form} input={compare.input} runId={runId} />}
          {children(runId)}
        </>
      )}
    </>
  );
}

/** Loads the comparison view and the panel's part of it on first use. */
export function lazyComparison(load: () => Promise<ComparePanel>): ComponentType<ComparisonProps> {
  return lazyComponent(async () => {
    const [{ ComparisonView }, panel] = await Promise.all([
      import('../compare/comparison-view.tsx'),
      load(),
    ]);
    return (props: ComparisonProps) => <ComparisonView {...props} panel={panel} />;
  });
}
