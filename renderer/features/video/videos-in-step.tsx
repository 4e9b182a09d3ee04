import { type KeyboardEvent, useState } from 'react';
import { formatLength } from '../../lib/format-quantity.ts';
import { type FrameRate, getFrame } from '../../media/players/step-clock.ts';
import { getCellTitle, getRows } from '../../run/compare/compare-columns.ts';
import type { ComparedResultsProps } from '../../run/compare/compare-panel.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { PlayIcon } from '../../ui/icons/actions.tsx';
import { LoopIcon, PauseIcon } from '../../ui/icons/media.tsx';
import { ChevronLeftIcon, ChevronRightIcon } from '../../ui/icons/status.tsx';
import { Select } from '../../ui/select.tsx';
import { Slider } from '../../ui/slider.tsx';
import { describeTask } from './describe-task.ts';
import { StepSlot, type StepTask } from './step-slot.tsx';
import { type SteppedVideo, useSyncedPlayback, type VideosInStep } from './use-videos-in-step.ts';
import styles from './videos-in-step.module.css';

export function VideosInStepButton({ comparison, cells, columns }: ComparedResultsProps) {
  const [isOpen, setOpen] = useState(false);
  const tasks = getRows(comparison, cells).flatMap((row) =>
    columns.flatMap((column): StepTask[] => {
      const cell = row.cells.find(({ variantId }) => variantId === column.variant.id);
      const run = cell?.run ?? null;
      if (cell === undefined || run === null || cell.state !== 'sent') return [];
      return [
        {
          id: `${cell.place}`,
          runId: run.id,
          name: getCellTitle(row, column),
          state: describeTask(run).label,
          hasVideo: run.media.some(({ kind, complete }) => kind === 'video' && complete),
        },
      ];
    }),
  );
  return (
    <div>
      <Button
        size="small"
        icon={<PlayIcon size={14} />}
        disabledReason={tasks.length > 0 ? null : 'No video task yet.'}
        onClick={() => setOpen(true)}
      >
        Play in sync
      </Button>
      {isOpen && <StepDialog tasks={tasks} onClose={() => setOpen(false)} />}
    </div>
  );
}

/** With more than three, the videos would be too small to compare. */
const slotNames = ['First', 'Second', 'Third'] as const;
const nothing = 'none';

interface StepDialogProps {
  tasks: readonly StepTask[];
  onClose: () => void;
}

function StepDialog({ tasks, onClose }: StepDialogProps) {
  const [chosen, setChosen] = useState(() =>
    [...tasks]
      .sort((one, other) => Number(other.hasVideo) - Number(one.hasVideo))
      .slice(0, slotNames.length)
      .map(({ id }) => id),
  );
  const [ready, setReady] = useState<ReadonlyMap<string, SteppedVideo>>(new Map());
  const [audioId, setAudioId] = useState(chosen[0] ?? nothing);
  const [speed, setSpeed] = useState('1');
  const [loops, setLoops] = useState(false);
  const shown = chosen.flatMap((id) => tasks.find((task) => task.id === id) ?? []);
  const videos = shown.flatMap(({ id }) => ready.get(id) ?? []);
  const step = useSyncedPlayback(videos, { rate: Number(speed), loops });

  function onReady(id: string, video: SteppedVideo | null): void {
    if (video !== null) step.join(video);
    setReady((before) => {
      const next = new Map(before);
      if (video === null) next.delete(id);
      else next.set(id, video);
      return next;
    });
  }

  function choose(slot: number, id: string): void {
    const next = slotNames.map((_, at) => (at === slot ? id : (chosen[at] ?? nothing)));
    setChosen(next);
  }

  return (
    <Dialog open title="Play in sync" size="full" onClose={onClose}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys of what is inside. */}
      <div
        className={classNames(styles.view, 'stack-12')}
        onKeyDown={(event) => onStepKey(event, step)}
      >
        <div className={styles.slots} data-count={shown.length}>
          {shown.map((task) => (
            <StepSlot
              key={`${task.id} ${task.runId}`}
              task={task}
              muted={task.id !== audioId}
              onReady={(video) => onReady(task.id, video)}
            />
          ))}
        </div>
        <Transport step={step} loops={loops} onLoops={setLoops} />
        <div className={styles.choice}>
          {slotNames.map((name, slot) => (
            <Select
              key={name}
              label={name}
              value={chosen[slot] ?? nothing}
              options={[
                { value: nothing, label: 'None' },
                ...tasks.map(({ id, name: taskName, state }) => ({
                  value: id,
                  label: `${taskName} · ${state}`,
                  disabled: chosen.some((other, at) => other === id && at !== slot),
                })),
              ]}
              onValueChange={(id) => choose(slot, id)}
            />
          ))}
          <Select
            label="Sound"
            value={shown.some(({ id }) => id === audioId) ? audioId : nothing}
            options={[
              { value: nothing, label: 'None' },
              ...shown.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            onValueChange={setAudioId}
          />
          <Select
            label="Speed"
            value={speed}
            options={['0.25', '0.5', '1', '2'].map((value) => ({ value, label: `${value}×` }))}
            onValueChange={setSpeed}
          />
        </div>
      </div>
    </Dialog>
  );
}

interface TransportProps {
  step: VideosInStep;
  loops: boolean;
  onLoops: (loops: boolean) => void;
}

function Transport({ step, loops, onLoops }: TransportProps) {
  const { isPlaying, seconds, lengthSeconds, frameRate } = step;
  const frame = describeFrame(frameRate);
  return (
    <fieldset aria-label="Playback" className={classNames(styles.transport, 'row-4 fixed')}>
      <IconButton
        label={isPlaying ? 'Pause' : 'Play'}
        shortcut="Space"
        icon={isPlaying ? <PauseIcon /> : <PlayIcon />}
        disabled={lengthSeconds === 0}
        onClick={step.toggle}
      />
      <IconButton
        label={`Previous frame (${frame})`}
        shortcut=","
        icon={<ChevronLeftIcon />}
        disabled={lengthSeconds === 0}
        onClick={() => step.step(-1)}
      />
      <IconButton
        label={`Next frame (${frame})`}
        shortcut="."
        icon={<ChevronRightIcon />}
        disabled={lengthSeconds === 0}
        onClick={() => step.step(1)}
      />
      <Slider
        label="Position"
        className={styles.position}
        value={seconds}
        min={0}
        max={lengthSeconds}
        step={0.001}
        onValueChange={step.seek}
      />
      <output aria-label="Time" className={classNames(styles.time, 'caption tabular')}>
        {formatLength(seconds)} / {formatLength(lengthSeconds)} · frame{' '}
        {getFrame(seconds, frameRate.framesPerSecond) + 1}
      </output>
      <IconButton
        label="Loop"
        icon={<LoopIcon />}
        pressed={loops}
        onClick={() => onLoops(!loops)}
      />
    </fieldset>
  );
}

/** Returns a label such as `1/24 s, measured`. */
function describeFrame({ framesPerSecond, source }: FrameRate): string {
  const words = source === 'assumed' ? 'frame rate unknown' : source;
  return `1/${Number(framesPerSecond.toFixed(2))} s, ${words}`;
}

const skipSeconds = 1;

/**
 * Handles the usual keys of video editors; a select keeps its own keys, and a button keeps Space.
 */
function onStepKey(event: KeyboardEvent, step: VideosInStep): void {
  const { target, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (target instanceof HTMLSelectElement || step.lengthSeconds === 0) return;
  const skip = (by: number) => () =>
    step.seek(Math.min(step.lengthSeconds, Math.max(0, step.seconds + by)));
  const actions: Record<string, () => void> = {
    ',': () => step.step(-1),
    '.': () => step.step(1),
    ArrowLeft: skip(-skipSeconds),
    ArrowRight: skip(skipSeconds),
    Home: () => step.seek(0),
    End: () => step.step(Number.POSITIVE_INFINITY),
    ...(target instanceof HTMLButtonElement ? {} : { ' ': step.toggle }),
  };
  const action = actions[key];
  if (action === undefined) return;
  event.preventDefault();
  action();
}
