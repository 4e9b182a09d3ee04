import { useId, useMemo, useState } from 'react';
import type { Cell } from '../../../../shared/comparison.ts';
import type { TreeMessage } from '../../../../shared/conversation.ts';
import { pluralize } from '../../../lib/format-quantity.ts';
import { inspectRun } from '../../../lib/layout.ts';
import { createColumnTab, minColumn, RowPick } from '../../../run/compare/compare-grid.tsx';
import {
  type ComparedResultsProps,
  createFirstOutputFigure,
  tokenFigures,
  totalFigure,
} from '../../../run/compare/compare-panel.ts';
import { ComparisonFrame } from '../../../run/compare/comparison-frame.tsx';
import { useComparison } from '../../../run/compare/live-comparisons.ts';
import { Button } from '../../../ui/button.tsx';
import { FoldButton } from '../../../ui/fold-button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { ScrollTogetherIcon } from '../../../ui/icons/actions.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { useWidth } from '../../../ui/use-width.ts';
import { MessageProviders } from '../log/conversation-log.tsx';
import { createScrollGroup, type ScrollGroup } from '../log/log-scroll.ts';
import type { MessageHandlers } from '../log/message-handlers.ts';
import { EarlierNotice, MessageLog } from '../log/message-log.tsx';
import { useChatState } from '../session/chat-session.ts';
import { AnswerDifferences } from './answer-differences.tsx';
import { ChatColumn } from './chat-column.tsx';
import styles from './chat-columns.module.css';
import { type ColumnBranch, countSharedMessages, getColumnBranches } from './column-branches.ts';
import { createTurnFigures } from './turn-figures.ts';
import { useValidFacts } from './valid-fact.ts';

const noCells: readonly Cell[] = [];
const noMessages: readonly TreeMessage[] = [];
const figures = [createFirstOutputFigure('First token'), totalFigure, ...tokenFigures];

/** Shows the comparison of a conversation, a column for each variant. */
export function ChatColumns() {
  return (
    <MessageProviders>
      <ComparedConversation />
    </MessageProviders>
  );
}

function ComparedConversation() {
  const form = useChatState((chat) => chat.form);
  const comparisonId = useChatState(({ compare }) => compare.comparisonId);
  const hasProblem = useChatState(({ compare }) => compare.problem !== null);
  const messages = useChatState(({ conversation }) => conversation?.messages ?? noMessages);
  const live = useComparison(comparisonId);
  const [together, setTogether] = useState<ScrollGroup | null>(null);
  const [compares, setCompares] = useState(false);
  const [box, width] = useWidth();
  const facts = useValidFacts(live?.cells ?? noCells, messages);
  const shownFigures = useMemo(() => [...figures, ...createTurnFigures(messages)], [messages]);
  if (live === null) {
    return (
      <div className={`fill ${styles.loading}`}>
        {!hasProblem && <Spinner label="Loading comparison" />}
      </div>
    );
  }
  const count = live.comparison.variants.length;
  const fits = width === null || count * minColumn <= width || count === 1;
  return (
    <div ref={box} className={`stack-4 fill ${styles.frame}`} data-columns>
      <ComparisonFrame
        key={comparisonId}
        fills
        live={live}
        form={form}
        figures={shownFigures}
        facts={facts}
        tools={
          <>
            {fits && count > 1 && (
              <IconButton
                label="Scroll together"
                size="small"
                icon={<ScrollTogetherIcon size={14} />}
                pressed={together !== null}
                onClick={() => setTogether(together === null ? createScrollGroup() : null)}
              />
            )}
            <Button size="small" onClick={() => setCompares(true)}>
              Diff
            </Button>
          </>
        }
      >
        {(results) => (
          <Columns
            {...results}
            fits={fits}
            together={together}
            compares={compares}
            onCompared={() => setCompares(false)}
          />
        )}
      </ComparisonFrame>
    </div>
  );
}

interface ColumnsProps extends ComparedResultsProps {
  fits: boolean;
  together: ScrollGroup | null;
  compares: boolean;
  onCompared: () => void;
}

function Columns(props: ColumnsProps) {
  const { comparison, notes, cells, columns, fits, together } = props;
  const messages = useChatState(({ conversation }) => conversation?.messages ?? noMessages);
  const earlier = useChatState((chat) => chat.earlier);
  const loadEarlier = useChatState((chat) => chat.loadEarlier);
  const [shownId, setShownId] = useState<string | null>(null);
  const branches = useMemo(
    () => getColumnBranches(cells, messages, notes.choices),
    [cells, messages, notes.choices],
  );
  const paths = useMemo(() => [...branches.values()].map(({ path }) => path), [branches]);
  const start = countSharedMessages(paths, cells[0]?.messageId ?? null);
  const shared = useMemo(() => paths[0]?.slice(0, start) ?? [], [paths, start]);
  const shown = columns.flatMap((column) => {
    const branch = branches.get(column.variant.id);
    return branch === undefined ? [] : [{ column, branch }];
  });
  const row = comparison.rows.at(-1);
  const getColumn = ({ column, branch }: ShownColumn) => (
    <ChatColumn
      key={column.variant.id}
      comparison={comparison}
      column={column}
      branch={branch}
      cells={cells}
      start={start}
      together={together}
      isTab={!fits}
    />
  );
  return (
    <>
      {earlier !== 'loaded' && (
        <div className={styles.notice}>
          <EarlierNotice earlier={earlier} loadEarlier={loadEarlier} />
        </div>
      )}
      {shared.length > 0 && <SharedMessages messages={shared} />}
      <div className={fits ? styles.columns : 'stack-4 fill'}>
        {fits ? (
          shown.map(getColumn)
        ) : (
          <Tabs
            label="Variants"
            value={
              (shown.find(({ column }) => column.variant.id === shownId) ?? shown[0])?.column
                .variant.id ?? ''
            }
            onValueChange={setShownId}
            tabs={shown.map((one) =>
              createColumnTab(one.column, [one.branch.cell], getColumn(one)),
            )}
          />
        )}
      </div>
      {notes.blind?.isHidden === true && row !== undefined && (
        <div className={styles.pick}>
          <RowPick
            comparisonId={comparison.id}
            notes={notes}
            row={{
              rowId: row.id,
              repeat: 0,
              label: '',
              cells: cells.filter(({ rowId }) => rowId === row.id),
            }}
            columns={columns}
          />
        </div>
      )}
      {props.compares && (
        <AnswerDifferences
          comparison={comparison}
          cells={cells}
          columns={columns}
          messages={messages}
          picked={notes.choices}
          onClose={props.onCompared}
        />
      )}
    </>
  );
}

interface ShownColumn {
  column: ComparedResultsProps['columns'][number];
  branch: ColumnBranch;
}

/** Shows the messages that all columns share, once, above the columns. */
function SharedMessages({ messages }: { messages: readonly TreeMessage[] }) {
  const form = useChatState((chat) => chat.form);
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <div className={styles.earlier}>
      <FoldButton open={isOpen} onOpenChange={setOpen} controls={id}>
        {pluralize(messages.length, 'earlier message')}
      </FoldButton>
      {isOpen && (
        <div id={id} className={styles.earlierLog}>
          <MessageLog
            label="Earlier messages"
            form={form}
            path={messages}
            handlers={sharedHandlers}
          />
        </div>
      )}
    </div>
  );
}

const sharedHandlers: MessageHandlers = {
  canRetry: () => false,
  onContinue: null,
  onRetry: () => undefined,
  onInspect: ({ run }) => run !== null && inspectRun(run.id),
  onPick: null,
  changes: null,
};
