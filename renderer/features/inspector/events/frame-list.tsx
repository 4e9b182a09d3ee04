import { useEffect, useMemo, useRef, useState } from 'react';
import { VList, type VListHandle } from 'virtua';
import { useRovingList } from '../../../ui/roving-list.ts';
import styles from './events-tab.module.css';
import { FrameItem } from './frame-item.tsx';
import type { FrameRow } from './frame-rows.ts';

const atEndPixels = 12;

/** The frames; at its end the list stays there while more come. */
export function FrameList({ rows }: { rows: FrameRow[] }) {
  const list = useRef<VListHandle>(null);
  const atEnd = useRef(false);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const count = rows.length;

  const roving = useRovingList({
    keys: useMemo(() => rows.map(({ seq }) => `${seq}`), [rows]),
    currentKey: null,
    textOf: (index) => `${rows[index]?.number ?? ''} ${rows[index]?.label ?? ''}`,
    scrollTo: (index) => list.current?.scrollToIndex(index, { align: 'nearest' }),
  });

  useEffect(() => {
    if (atEnd.current && count > 0) list.current?.scrollToIndex(count - 1, { align: 'end' });
  }, [count]);

  function toggle(seq: number) {
    setOpen((before) => {
      const after = new Set(before);
      if (!after.delete(seq)) after.add(seq);
      return after;
    });
  }

  return (
    <>
      <div className={styles.columns} aria-hidden="true">
        <span>Event</span>
        <span>Time</span>
        <span>Gap</span>
        <span>Data</span>
      </div>
      <VList
        ref={list}
        data={rows}
        bufferSize={1200}
        keepMounted={count > 0 ? [roving.stop] : []}
        className={styles.list}
        {...roving.listProps}
        onScroll={(offset) => {
          const handle = list.current;
          if (!handle) return;
          atEnd.current =
            handle.scrollSize > handle.viewportSize &&
            offset + handle.viewportSize >= handle.scrollSize - atEndPixels;
        }}
      >
        {(row, index) => (
          <FrameItem
            key={row.seq}
            row={row}
            open={open.has(row.seq)}
            tabIndex={roving.tabIndexOf(index)}
            onToggle={() => toggle(row.seq)}
          />
        )}
      </VList>
    </>
  );
}
