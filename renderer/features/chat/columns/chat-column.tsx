import { useMemo, useState } from 'react';
import { type Cell, type Comparison, getCellVariant } from '../../../../shared/comparison.ts';
import type { LiveTurn, TreeMessage } from '../../../../shared/conversation.ts';
import type { RunSummary } from '../../../../shared/run.ts';
import { inspectRun } from '../../../lib/layout.ts';
import {
  CellHead,
  CellProblem,
  getShownProblem,
  hiddenError,
} from '../../../run/compare/cell-frame.tsx';
import { Differences } from '../../../run/compare/compare-grid.tsx';
import type { CompareColumn } from '../../../run/compare/compare-panel.ts';
import { restoreVariant } from '../../../run/compare/load-comparison.ts';
import { changeVariant } from '../../../run/compare/variants.ts';
import { useForm } from '../../../run/form/use-form.ts';
import { getFigures } from '../../../run/frame/run-figures.tsx';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { ChatIcon } from '../../../ui/icons/panels.tsx';
import { ToolResultsForm } from '../composer/tool-results-form.tsx';
import { continueTurn } from '../conversation/chat-actions.ts';
import type { MissingResults } from '../conversation/chat-store.ts';
import { getTurnAtEnd } from '../conversation/use-conversation.ts';
import { HidesFiguresContext, HidesModelContext } from '../log/answer/answer.ts';
import type { ScrollGroup } from '../log/log-scroll.ts';
import type { MessageHandlers } from '../log/message-handlers.ts';
import { MessageLog } from '../log/message-log.tsx';
import { TurnCalls } from '../log/turn-calls.tsx';
import { getTurnFigures, TurnSummary } from '../log/turn-summary.tsx';
import { useChatState } from '../session/chat-session.ts';
import { comparedChat } from '../session/compared-chat.ts';
import {
  canContinueTurn,
  forgetResults,
  getOpenToolCalls,
  type OpenToolCalls,
  splitResults,
} from '../session/open-tool-calls.ts';
import styles from './chat-columns.module.css';
import { continueWith, pickChoice, retryCell, sendToColumn } from './column-actions.ts';
import { type ColumnBranch, getColumnNotes } from './column-branches.ts';

interface ChatColumnProps {
  comparison: Comparison;
  column: CompareColumn;
  branch: ColumnBranch;
  /** The cells of every column, not just `column`. */
  cells: readonly Cell[];
  /** The number of messages shown above all columns. */
  start: number;
  together: ScrollGroup | null;
  /** If true, the header omits the column's name because a tab already shows it. */
  isTab: boolean;
}

const noTurns: readonly LiveTurn[] = [];

export function ChatColumn(props: ChatColumnProps) {
  const { comparison, column, branch, cells, start, isTab } = props;
  const form = useChatState((chat) => chat.form);
  const conversationId = useChatState((chat) => chat.conversationId);
  const turns = useChatState(({ conversation }) => conversation?.turns ?? noTurns);
  const { id: comparisonId } = comparison;
  const { variant, name, title, isHidden } = column;
  const { path, cell } = branch;
  const shown = useMemo(() => path.slice(start), [path, start]);
  const draft = useForm(form, ({ variants }) => variants[variant.id]);
  const isLeftOut = draft === undefined || draft.excluded;
  const own = cells.filter(({ variantId }) => variantId === variant.id);
  const handlers = useColumnHandlers(comparisonId, own, isHidden);
  const notes = useMemo(
    () => getColumnNotes(comparison, column, cells, path),
    [comparison, column, cells, path],
  );
  const calls = useMemo(() => getOpenToolCalls(path), [path]);
  const turn = getTurnAtEnd(turns, path);
  const problem = getShownProblem(cell);
  const leafId = path.at(-1)?.id;
  const end =
    turn !== null && conversationId !== null ? (
      <TurnCalls conversationId={conversationId} turn={turn} />
    ) : calls !== null && cell.state === 'sent' ? (
      <ColumnResults {...props} calls={calls} />
    ) : problem !== null && cell.state !== 'waiting' ? (
      <div className={styles.problem}>
        <CellProblem error={isHidden ? hiddenError : problem} variant={variant} />
      </div>
    ) : getTurnFigures(path) !== null ? (
      <TurnSummary path={path} />
    ) : null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms.
    <div role="group" aria-label={name} className={styles.column}>
      <div className={styles.head}>
        <CellHead
          comparisonId={comparisonId}
          cell={cell}
          label={title}
          isHidden={isHidden}
          isAnswer
          heading={
            <>
              {!isTab && <span className={`truncate ${styles.name}`}>{name}</span>}
              <Differences column={column} />
              {isLeftOut && !isHidden && <LeftOut {...props} />}
            </>
          }
          actions={
            !isHidden &&
            leafId !== undefined &&
            conversationId !== null && (
              <IconButton
                size="small"
                label="Continue with this model"
                icon={<ChatIcon size={14} />}
                onClick={() => void continueWith(form, conversationId, variant, leafId)}
              />
            )
          }
        />
      </div>
      <HidesModelContext value={isHidden}>
        <HidesFiguresContext value>
          <MessageLog
            label={`Conversation with ${title}`}
            form={form}
            path={shown}
            notes={notes}
            choices={branch.choices}
            end={end}
            handlers={handlers}
            together={props.together}
            stopsAtId={shown.findLast(({ role }) => role === 'user')?.id ?? null}
          />
        </HidesFiguresContext>
      </HidesModelContext>
      {!isHidden && cell.run !== null && <ColumnFigures run={cell.run} />}
    </div>
  );
}

const shownFigures = ['firstToken', 'total', 'output', 'cost'] as const;

const figureLabels: Record<(typeof shownFigures)[number], string> = {
  firstToken: 'First token',
  total: 'Total time',
  output: 'Output',
  cost: 'Cost',
};

/** Shows the newest answer's metrics below its column; the others are in its details. */
function ColumnFigures({ run }: { run: RunSummary }) {
  const figures = new Map(getFigures(run).map((figure) => [figure.key, figure]));
  return (
    <dl className={styles.figures} aria-label="Metrics">
      {shownFigures.map((key) => (
        <div key={key}>
          <dt>{figureLabels[key]}</dt>
          <dd>{figures.get(key)?.value ?? '–'}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Notes that the column is excluded from new messages, and offers to include it. */
function LeftOut({ comparison, column: { variant, title } }: ChatColumnProps) {
  const form = useChatState((chat) => chat.form);
  const isRemoved = useForm(form, ({ variants }) => variants[variant.id] === undefined);
  const label = isRemoved ? 'Restore' : 'Include';
  function include(): void {
    if (isRemoved) void restoreVariant(form, comparedChat, variant, comparison);
    else changeVariant(form, variant.id, { excluded: false });
  }
  return (
    <>
      <span className={styles.leftOut}>{isRemoved ? 'Removed' : 'Excluded'}</span>
      <Button size="small" aria-label={`${label} ${title}`} onClick={include}>
        {label}
      </Button>
    </>
  );
}

/** Messages in a column are read-only, except for Retry and picking a choice. */
function useColumnHandlers(
  comparisonId: string,
  own: readonly Cell[],
  isHidden: boolean,
): MessageHandlers {
  const places = own.map(({ place }) => place).join(' ');
  return useMemo(() => {
    const known = new Set(places.split(' ').map(Number));
    const getPlace = ({ run }: TreeMessage) =>
      run?.comparisonId === comparisonId && run.cell !== null && known.has(run.cell)
        ? run.cell
        : null;
    return {
      canRetry: (message) => getPlace(message) !== null,
      onContinue: null,
      onRetry(message) {
        const place = getPlace(message);
        if (place !== null) void retryCell(comparisonId, place);
      },
      onInspect: isHidden ? null : ({ run }) => run !== null && inspectRun(run.id),
      onPick(choice) {
        const place = getPlace(choice);
        if (place !== null) void pickChoice(comparisonId, place, choice.id);
      },
      changes: null,
    };
  }, [comparisonId, places, isHidden]);
}

function ColumnResults(props: ChatColumnProps & { calls: OpenToolCalls }) {
  const { comparison, column, branch, calls } = props;
  const form = useChatState((chat) => chat.form);
  const conversationId = useChatState((chat) => chat.conversationId);
  const options = useChatState((chat) => chat.options);
  const tools = useChatState((chat) => chat.tools);
  const [warned, setWarned] = useState<MissingResults | null>(null);
  const leafId = branch.path.at(-1)?.id ?? null;

  async function run(insist: boolean): Promise<void> {
    const { results, missing } = splitResults(calls, form.state.getState().values.results);
    if (missing.length > 0 && !insist) {
      setWarned({ answerId: leafId });
      return;
    }
    const variant = getCellVariant(comparison, branch.cell) ?? column.variant;
    const isSent = await sendToColumn(comparison.id, variant, leafId, results);
    if (isSent) forgetResults(form, calls);
  }

  return (
    <ToolResultsForm
      label={`Tool results for ${column.name}`}
      form={form}
      calls={calls}
      warned={warned}
      blockedReason={null}
      onRun={(insist) => void run(insist)}
      onContinue={
        leafId !== null && conversationId !== null && canContinueTurn(calls, options, tools)
          ? () => void continueTurn(conversationId, leafId)
          : null
      }
      onTyped={() => setWarned(null)}
    />
  );
}
