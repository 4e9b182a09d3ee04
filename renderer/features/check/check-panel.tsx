import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import type { CheckInput } from '../../../shared/checks/check.ts';
import type { CheckPlan } from '../../../shared/contract/checks.ts';
import { api, orpc } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { useConnections } from '../../lib/connections.ts';
import { useCappedAttempt } from '../../lib/use-attempt.ts';
import { checkKindLabels, showCheck, useShownCheck } from '../../run/check/listed-check.ts';
import { createPanelBlock } from '../../run/form/run-block.ts';
import { RunError } from '../../run/frame/run-error.tsx';
import { PanelFrame } from '../../run/panel/panel-frame.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { CheckPanelIcon } from '../../ui/icons/panels.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import styles from './check.module.css';
import { AskedList, describeEstimate } from './check-plan.tsx';
import { CheckRecord } from './check-record.tsx';
import { readInput, useCheckStore } from './check-store.ts';
import { LoadForm } from './load-form.tsx';
import { getMainOperation, isExpensive, ProbeForm } from './probe-form.tsx';
import { SavedChecks } from './saved-checks.tsx';
import { useCheckedModels } from './target-fields.tsx';
import { useCheck } from './use-check.ts';

interface Question {
  input: CheckInput;
  plan: CheckPlan;
}

export function CheckPanel() {
  const { kind, shown } = useShownCheck();
  const { probe, load } = useCheckStore();
  const { connections } = useConnections();
  const operation = kind === 'probe' ? getMainOperation(probe.operations) : load.operation;
  const { connectionId, models } = useCheckedModels(operation);
  const read = readInput(kind, connectionId, models);
  const blocked = createPanelBlock('problem' in read ? read.problem : null);
  const input = useDeferredValue('input' in read ? read.input : null);
  const { data: plan = null } = useQuery({
    // Typing asks for many plans, which aren't worth keeping.
    ...orpc.checks.plan.queryOptions({ input: input ?? skipToken, gcTime: 0 }),
    placeholderData: keepPreviousData,
  });
  const list = useQuery(orpc.checks.list.queryOptions());
  const checks = (list.data ?? []).filter((check) => check.kind === kind);
  const shownId = shown[kind];
  const { live, problem } = useCheck(shownId);
  const { attempt, busy, error, runAnyway } = useCappedAttempt();
  const [question, setQuestion] = useState<Question | null>(null);
  const isRunning = live?.progress.state === 'running';

  const ask = () => {
    if (!('input' in read)) return;
    const asked = read.input;
    void attempt(async () => setQuestion({ input: asked, plan: await api.checks.plan(asked) }));
  };

  const start = (asked: CheckInput) => {
    setQuestion(null);
    void attempt(async (overCap) => {
      const { id } = await api.checks.start({ input: asked, overCap });
      showCheck(asked.kind, id);
    });
  };

  const gateway = connections.find(({ id }) => id === question?.input.connectionId)?.name ?? '';
  const listError = list.error === null ? null : toAppError(list.error);

  const content = (
    <div className={styles.body}>
      <div className={styles.form}>
        {kind === 'probe' ? <ProbeForm /> : <LoadForm />}
        {listError !== null && <RunError compact error={listError} />}
        <SavedChecks kind={kind} checks={checks} shownId={shownId} />
      </div>
      <div className={styles.outcome}>
        {error !== null && <RunError error={error} onRetry={runAnyway} />}
        {problem !== null && <RunError compact error={problem} />}
        {live !== null && <CheckRecord key={shownId} live={live} checks={checks} />}
        {shownId === null && <NextCheck plan={input === null ? null : plan} />}
      </div>
    </div>
  );

  return (
    <PanelFrame
      title="Check"
      onRun={ask}
      onStop={() =>
        void attempt(async () => {
          if (shownId !== null) await api.checks.stop({ id: shownId });
        })
      }
      running={isRunning}
      runBusy={busy}
      runBlocked={blocked}
    >
      <Tabs
        label="Kind of check"
        value={kind}
        onValueChange={(next) => {
          useShownCheck.setState({ kind: next });
          // Clears an error of the other tab.
          void attempt(async () => undefined);
        }}
        tabs={[
          { value: 'probe', label: checkKindLabels.probe, content },
          { value: 'load', label: checkKindLabels.load, content },
        ]}
      />
      <ConfirmDialog
        open={question !== null}
        title={question?.input.kind === 'load' ? `Load ${gateway}?` : `Probe ${gateway}?`}
        confirmLabel="Start"
        onConfirm={() => question !== null && start(question.input)}
        onClose={() => setQuestion(null)}
      >
        {question !== null && <StartQuestion {...question} />}
      </ConfirmDialog>
    </PanelFrame>
  );
}

function StartQuestion({ input, plan: { asked, estimate } }: Question) {
  return (
    <div className="stack-12">
      <p>{describeEstimate(estimate)}</p>
      {input.kind === 'load' && (
        <p>Each user sends again when answered. Load only gateways that you may load.</p>
      )}
      {input.kind === 'probe' && input.operations.some(isExpensive) && (
        <p>Generating videos is expensive and takes minutes.</p>
      )}
      {input.kind === 'probe' && (
        <details>
          <summary>What is asked</summary>
          <AskedList asked={asked} />
        </details>
      )}
    </div>
  );
}

const purposes = {
  probe: {
    title: 'See what a model honors',
    text: 'Asks about each parameter and compares the responses.',
  },
  load: {
    title: 'Find out how many can use it at once',
    text: 'In each stage, N users send the prompt, each again when answered. The chart shows when first tokens slow down.',
  },
};

/** Says what the check is for, and what Run will send. */
function NextCheck({ plan }: { plan: CheckPlan | null }) {
  const { title, text } = purposes[useShownCheck(({ kind }) => kind)];
  const estimate = plan !== null && (
    <p className="caption tabular">{describeEstimate(plan.estimate)}</p>
  );
  if (plan === null || plan.asked.length === 0) {
    return (
      <EmptyState icon={<CheckPanelIcon size={20} />} title={title}>
        <div className="stack-8">
          <p>{text}</p>
          {estimate}
        </div>
      </EmptyState>
    );
  }
  return (
    <section className="stack-12 reading" aria-label="What is asked">
      <h2 className={styles.title}>{title}</h2>
      <p>{text}</p>
      {estimate}
      <AskedList asked={plan.asked} />
    </section>
  );
}
