import { useId, useMemo, useState } from 'react';
import type { Cell } from '../../../../shared/comparison.ts';
import type { Conversation, TreeMessage } from '../../../../shared/conversation.ts';
import { pluralize } from '../../../lib/format-quantity.ts';
import { inspectRun } from '../../../lib/layout.ts';
import { columnTab, minColumn, RowPick } from '../../../run/compare/compare-grid.tsx';
import {
  type ComparedResultsProps,
  firstOutputFigure,
  tokenFigures,
  totalFigure,
} from '../../../run/compare/compare-panel.ts';
import { ComparisonFrame } from '../../../run/compare/comparison-frame.tsx';
import { useComparison } from '../../../run/compare/live-comparisons.ts';
import type { Comparing } from '../../../run/compare/use-comparing.ts';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { ScrollTogetherIcon } from '../../../ui/icons/actions.tsx';
import { ChevronDownIcon, ChevronRightIcon } from '../../../ui/icons/status.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { useWidth } from '../../../ui/use-width.ts';
import type { ComposerForm } from '../composer/composer-form.ts';
import { createScrollGroup, type ScrollGroup } from '../messages/log-scroll.ts';
import type { MessageHandlers } from '../messages/message-handlers.ts';
import { type EarlierMessages, EarlierNotice, MessageLog } from '../messages/message-log.tsx';
import { AnswerDifferences } from './answer-differences.tsx';
import { ChatColumn } from './chat-column.tsx';
import styles from './chat-columns.module.css';
import { type ColumnBranch, countSharedMessages, getColumnBranches } from './column-branches.ts';
import { turnFigures } from './turn-figures.ts';
import { useValidFacts } from './valid-fact.ts';

interface ChatColumnsProps extends EarlierMessages {
  compare: Comparing;
  conversation: Conversation;
  form: ComposerForm;
}

const noCells: readonly Cell[] = [];
const figures = [firstOutputFigure('First token'), totalFigure, ...tokenFigures];

export function ChatColumns({ compare, ...rest }: ChatColumnsProps) {
  const { comparisonId, problem } = compare;
  const live = useComparison(comparisonId);
  const [together, setTogether] = useState<ScrollGroup | null>(null);
  const [compares, setCompares] = useState(false);
  const [box, width] = useWidth();
  const { messages } = rest.conversation;
  const facts = useValidFacts(live?.cells ?? noCells, messages);
  const shownFigures = useMemo(() => [...figures, ...turnFigures(messages)], [messages]);
  if (live === null) {
    return (
      <div className={`fill ${styles.loading}`}>
        {problem === null && <Spinner label="Loading comparison" />}
      </div>
    );
  }
  const count = live.comparison.variants.length;
  const fits = width === null || count * minColumn <= width || count === 1;
  return (
    <div ref={box} className={`stack-4 fill ${styles.frame}`}>
      <ComparisonFrame
        key={comparisonId}
        fills
        live={live}
        form={rest.form}
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
            {...rest}
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

interface ColumnsProps extends ComparedResultsProps, Omit<ChatColumnsProps, 'compare'> {
  fits: boolean;
  together: ScrollGroup | null;
  compares: boolean;
  onCompared: () => void;
}

function Columns(props: ColumnsProps) {
  const { comparison, notes, cells, columns, conversation, form, fits, together } = props;
  const { messages } = conversation;
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
      conversation={conversation}
      column={column}
      branch={branch}
      cells={cells}
      start={start}
      form={form}
      together={together}
      isTab={!fits}
    />
  );
  return (
    <>
      {props.earlier !== 'loaded' && (
        <div className={styles.notice}>
          <EarlierNotice earlier={props.earlier} loadEarlier={props.loadEarlier} />
        </div>
      )}
      {shared.length > 0 && <SharedMessages messages={shared} form={form} />}
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
            tabs={shown.map((one) => columnTab(one.column, [one.branch.cell], getColumn(one)))}
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

interface SharedMessagesProps {
  messages: readonly TreeMessage[];
  form: ComposerForm;
}

/** Shows the messages that all columns share, once, above the columns. */
function SharedMessages({ messages, form }: SharedMessagesProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <div className={styles.earlier}>
      <Button
        size="small"
        variant="quiet"
        icon={isOpen ? <ChevronDownIcon size={14} /> : <ChevronRightIcon size={14} />}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {pluralize(messages.length, 'earlier message')}
      </Button>
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
