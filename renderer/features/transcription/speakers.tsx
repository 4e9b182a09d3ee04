import { useState } from 'react';
import { create } from 'zustand';
import type { TranscriptSegment } from '../../../shared/operations/transcription/state.ts';
import { EditIcon } from '../../ui/icons/actions.tsx';
import { Popover } from '../../ui/popover.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './speakers.module.css';

/** Maps the gateway's speaker names to display names; unmapped speakers keep the gateway's name. */
export type SpeakerNames = Readonly<Record<string, string>>;

const noNames: SpeakerNames = {};

/** Names are stored with the view, so the run keeps the gateway's data unchanged. */
const useNamesByRun = create<Readonly<Record<string, SpeakerNames>>>()(() => ({}));

export function useSpeakerNames(runId: string): SpeakerNames {
  return useNamesByRun((names) => names[runId] ?? noNames);
}

function renameSpeaker(runId: string, speaker: string, name: string): void {
  useNamesByRun.setState((names) => ({ [runId]: { ...names[runId], [speaker]: name } }));
}

export function getSpeakerName(speaker: string, names: SpeakerNames): string {
  const name = Object.hasOwn(names, speaker) ? names[speaker]?.trim() : undefined;
  return name === undefined || name === '' ? speaker : name;
}

/** Returns each speaker once, ordered by first segment. */
export function getSpeakers(segments: readonly TranscriptSegment[]): string[] {
  return [...new Set(segments.flatMap(({ speaker }) => (speaker === undefined ? [] : [speaker])))];
}

const COLOR_COUNT = 6;

interface SpeakerNameProps {
  name: string;
  /** A speaker's position in the list determines the color. */
  index: number;
}

export function SpeakerName({ name, index }: SpeakerNameProps) {
  return (
    <span className={styles.name} data-color={index % COLOR_COUNT}>
      {name}
    </span>
  );
}

interface SpeakerBarProps {
  runId: string;
  speakers: readonly string[];
  names: SpeakerNames;
}

/** Clicking a speaker renames it in this view and in exported subtitles. */
export function SpeakerBar({ runId, speakers, names }: SpeakerBarProps) {
  return (
    <div className={styles.speakers}>
      <span className="hint">Speakers</span>
      <ul aria-label="Speakers" className={styles.bar}>
        {speakers.map((speaker, index) => (
          <li key={speaker}>
            <SpeakerChip runId={runId} speaker={speaker} names={names} index={index} />
          </li>
        ))}
      </ul>
    </div>
  );
}

interface SpeakerChipProps {
  runId: string;
  speaker: string;
  names: SpeakerNames;
  index: number;
}

function SpeakerChip({ runId, speaker, names, index }: SpeakerChipProps) {
  const [isOpen, setIsOpen] = useState(false);
  const name = getSpeakerName(speaker, names);
  return (
    <Popover
      label={`Rename ${name}`}
      trigger={
        <>
          <SpeakerName name={name} index={index} />
          <EditIcon size={12} />
        </>
      }
      side="bottom"
      align="start"
      className={styles.chip}
      open={isOpen}
      onOpenChange={setIsOpen}
    >
      <TextField
        label="Speaker name"
        help="Shown here and in exported subtitles."
        placeholder={speaker}
        value={names[speaker] ?? ''}
        onValueChange={(value) => renameSpeaker(runId, speaker, value)}
        onKeyDown={({ key, nativeEvent }) => {
          if (key === 'Enter' && !nativeEvent.isComposing) setIsOpen(false);
        }}
      />
    </Popover>
  );
}
