import { useState } from 'react';
import type { JsonObject } from '../../../shared/json.ts';
import type { Media } from '../../../shared/media.ts';
import {
  getDraftIds,
  type ImageCandidate,
  type ImageState,
} from '../../../shared/operations/image/state.ts';
import { isFinished } from '../../../shared/run.ts';
import { useMedia } from '../../media/players/use-media.ts';
import { ResultContent, ResultFrame } from '../../run/frame/result-frame.tsx';
import { useRun } from '../../run/live/live-runs.ts';
import { useRecordedInput } from '../../run/live/recorded-input.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { lazyDialog } from '../../ui/lazy-component.tsx';
import { Waiting } from '../../ui/spinner.tsx';
import { Candidate } from './candidate.tsx';
import { getRequestedImage } from './image-facts.ts';
import { ImageResponseDetails } from './image-response-details.tsx';
import { ImageViewer } from './image-viewer.tsx';
import styles from './result.module.css';
import { type ReferenceImage, readContents, type Turn, toModelTurn } from './turns.ts';

const BeforeAndAfter = lazyDialog(
  'Before and after',
  async () => (await import('./before-and-after.tsx')).BeforeAndAfter,
);

interface ImageResultProps {
  runId: string;
  onRetry:
    | ((requested: { prompt: string; images: ReferenceImage[]; earlier: Turn[] }) => void)
    | undefined;
  onContinue: (turns: Turn[]) => void;
}

export function ImageResult({ runId, onRetry, onContinue }: ImageResultProps) {
  const view = useRun('image', runId);
  const recorded = useRecordedInput(runId);
  const [openId, setOpenId] = useState<string | null>(null);
  const [isCompared, setCompared] = useState(false);
  const edited = useMedia(recorded === null ? null : getEditedId(recorded.request));
  if (view === null || recorded === null) return null;
  const { state, status } = view;
  const requested = getRequestedImage(recorded);
  const running = !isFinished(status);
  // A file that can't be read can't be sent back either.
  const canContinue = !running && (view.figures?.noResult ?? null) === null;
  const text = getText(state);
  const drafts = getDraftIds(state.candidates);
  const images = listImages(state, drafts);
  const [firstImage] = images;
  // If all candidates share a finish reason, the metrics show it once.
  const endedApart = new Set(state.candidates.map(({ finishReason }) => finishReason)).size > 1;

  function continueFrom(candidate: ImageCandidate) {
    const answer = toModelTurn(candidate);
    if (answer !== null) onContinue([...requested.turns, answer]);
  }

  return (
    <ResultFrame
      run={view}
      actions={
        <>
          {edited.media !== null && firstImage !== undefined && !running && (
            <Button size="small" variant="quiet" onClick={() => setCompared(true)}>
              Before and after
            </Button>
          )}
          {text !== '' && <CopyButton label="Copy text" content={() => text} />}
        </>
      }
    >
      <ResultContent
        error={view.error}
        failedAt={view.finishedAt}
        noResult={view.figures?.noResult ?? null}
        warnings={state.warnings}
        onRetry={onRetry && (() => onRetry(readContents(recorded.request.contents)))}
      >
        {running && state.candidates.length === 0 && <Waiting>Generating image…</Waiting>}
        <div
          className={state.candidates.length > 1 ? styles.grid : 'stack-12'}
          data-rows={state.candidates.length > 2 ? 'several' : undefined}
        >
          {state.candidates.map((candidate, index) => (
            <Candidate
              // biome-ignore lint/suspicious/noArrayIndexKey: candidates keep their order.
              key={index}
              candidate={candidate}
              number={state.candidates.length > 1 ? index + 1 : null}
              saysReason={endedApart}
              media={state.media}
              drafts={drafts}
              requested={requested}
              onOpen={setOpenId}
              onContinue={canContinue ? () => continueFrom(candidate) : undefined}
            />
          ))}
        </div>
        {!running && <ImageResponseDetails state={state} />}
      </ResultContent>
      {openId !== null && (
        <ImageViewer
          key={openId}
          run={view}
          images={images}
          firstId={openId}
          requested={requested}
          onClose={() => setOpenId(null)}
        />
      )}
      {isCompared && edited.media !== null && (
        <BeforeAndAfter
          before={edited.media}
          after={images}
          runId={runId}
          onClose={() => setCompared(false)}
        />
      )}
    </ResultFrame>
  );
}

/** Returns the first image of the last user turn; null if the request edits none. */
function getEditedId({ contents }: JsonObject): string | null {
  return readContents(contents).images[0]?.mediaId ?? null;
}

/** Lists the images in the order of the result, and omits drafts. */
function listImages({ candidates, media }: ImageState, drafts: ReadonlySet<string>): Media[] {
  return candidates.flatMap(({ parts }) =>
    parts.flatMap((part) => {
      if (part.type !== 'media' || drafts.has(part.mediaId)) return [];
      const found = media.find(({ id }) => id === part.mediaId);
      return found?.complete && found.kind === 'image' ? [found] : [];
    }),
  );
}

function getText({ candidates }: ImageState): string {
  return candidates
    .flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'text' && !part.thought ? [part.text] : [])),
    )
    .join('\n\n');
}
