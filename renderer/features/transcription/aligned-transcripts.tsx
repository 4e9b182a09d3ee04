import { useMemo, useState } from 'react';
import { isSameJson } from '../../../shared/json.ts';
import {
  NormalizationSwitches,
  useNormalization,
} from '../../run/compare/normalization-switches.tsx';
import { useAlignment, useErrorRates } from '../../run/compare/work/use-computed.ts';
import { classNames } from '../../ui/class-names.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { Select } from '../../ui/select.tsx';
import { Waiting } from '../../ui/spinner.tsx';
import { Switch } from '../../ui/switch.tsx';
import styles from './aligned-transcripts.module.css';
import { AlignedWords, type ComparedTranscript } from './aligned-words.tsx';
import { ErrorRateTable } from './error-rate-table.tsx';

interface AlignedTranscriptsProps {
  transcripts: readonly ComparedTranscript[];
  /** Null or blank if the user hasn't entered a reference text. */
  reference: string | null;
  /** Plays a range, in seconds; undefined if there is no audio to play. */
  onPlay: ((transcriptId: string, startSeconds: number, endSeconds: number) => void) | undefined;
}

/** A value that can't be a transcript ID. */
const REFERENCE = 'reference text';

export function AlignedTranscripts({ transcripts, reference, onPlay }: AlignedTranscriptsProps) {
  const normalization = useNormalization();
  const [chosen, setChosen] = useState<string | null>(null);
  const [onlyDiffering, setOnlyDiffering] = useState(false);
  const all = useSameObject(transcripts);
  const hasReference = reference !== null && reference.trim() !== '';
  const baseId = getBase(chosen, hasReference, all);
  const base = all.find(({ id }) => id === baseId);
  const others = useMemo(() => all.filter(({ id }) => id !== baseId), [all, baseId]);
  const texts = useMemo(() => others.map(({ text }) => text), [others]);
  const baseText = others.length === 0 ? null : (base?.text ?? (hasReference ? reference : null));
  const alignment = useAlignment(baseText, others, normalization);
  const rates = useErrorRates(baseText, texts, normalization);
  const baseName = base?.name ?? 'Reference text';

  if (baseText === null) {
    return (
      <p className={classNames(styles.hint, 'row-8')}>
        Add a reference text or a second transcript to compare.
      </p>
    );
  }
  // Ignore stale output that contains rates for other transcripts.
  const aligned = alignment.output?.wordErrors.length === others.length ? alignment.output : null;
  const error = alignment.error ?? rates.error;
  return (
    <section aria-label="Aligned transcripts" className={styles.aligned}>
      <div className={styles.bar}>
        <Select
          label="Compare with"
          className={styles.base}
          value={baseId ?? REFERENCE}
          options={[
            { value: REFERENCE, label: 'Reference text', disabled: !hasReference },
            ...all.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onValueChange={setChosen}
        />
        <NormalizationSwitches />
        <Switch
          label="Show only differences"
          checked={onlyDiffering}
          onCheckedChange={setOnlyDiffering}
        />
      </div>
      {error !== null && (
        <ErrorAlert
          error={error}
          onRetry={alignment.error !== null ? alignment.retry : rates.retry}
        />
      )}
      {aligned === null ? (
        error === null && <Waiting role="status">Aligning transcripts…</Waiting>
      ) : (
        <div
          aria-busy={alignment.pending}
          className={styles.results}
          data-pending={alignment.pending || undefined}
        >
          <ErrorRateTable
            baseName={baseName}
            isReference={base === undefined}
            transcripts={others}
            wordErrors={aligned.wordErrors}
            characterErrors={
              rates.pending ? null : (rates.output?.map(({ characters }) => characters) ?? null)
            }
          />
          <AlignedWords
            baseName={baseName}
            transcripts={others}
            rows={aligned.rows}
            onlyDiffering={onlyDiffering}
            onPlay={onPlay}
          />
        </div>
      )}
    </section>
  );
}

/** Returns the ID of the transcript to compare with, or null for the reference text. */
function getBase(
  chosen: string | null,
  hasReference: boolean,
  transcripts: readonly ComparedTranscript[],
): string | null {
  if (chosen === REFERENCE && hasReference) return null;
  if (transcripts.some(({ id }) => id === chosen)) return chosen;
  return hasReference ? null : (transcripts[0]?.id ?? null);
}

/** Returns the previous object while the new value is equal, so memoized values stay valid. */
function useSameObject<Value>(value: Value): Value {
  const [kept, setKept] = useState(value);
  if (kept === value || isSameJson(kept, value)) return kept;
  setKept(value);
  return value;
}
