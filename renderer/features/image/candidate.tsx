import type { ReactNode } from 'react';
import type { Media } from '../../../shared/media.ts';
import type { ImageCandidate, ImagePart } from '../../../shared/operations/image/state.ts';
import { SendToButtons } from '../../media/hand-over/send-to.tsx';
import { MediaFacts } from '../../media/players/media-details.tsx';
import { MediaView } from '../../media/players/media-view.tsx';
import { ActionBar } from '../../ui/action-bar.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { JsonView } from '../../ui/json-view/json-view.tsx';
import { describeRequested, getPrompt, type RequestedImage } from './image-facts.ts';
import { useImageInput } from './image-store.ts';
import { ResultImage } from './image-tools.tsx';
import styles from './result.module.css';
import { toModelTurn } from './turns.ts';

interface CandidateProps {
  candidate: ImageCandidate;
  number: number | null;
  saysReason: boolean;
  media: readonly Media[];
  /** IDs of draft images that the model made while thinking. */
  drafts: ReadonlySet<string>;
  requested: RequestedImage;
  /** Opens an image of the run in the full view. */
  onOpen: (mediaId: string) => void;
  onContinue: (() => void) | undefined;
}

export function Candidate(props: CandidateProps) {
  const { candidate, number, media, requested, drafts, onOpen } = props;
  const { role } = candidate;
  const isReasoning = (part: ImagePart) =>
    (part.type === 'text' && part.thought) || (part.type === 'media' && drafts.has(part.mediaId));
  const reasoning = candidate.parts.filter(isReasoning);
  const parts = candidate.parts.filter((part) => !isReasoning(part));
  const images = parts.filter(({ type }) => type === 'media').length;
  const lone = images === 1 ? getOnlyImage(parts, media) : null;
  let image = 0;
  const answer = parts.map((part, index) => {
    if (part.type === 'media') image += 1;
    if (part.type === 'media' && lone !== null) {
      const isOne = number === null;
      // biome-ignore lint/suspicious/noArrayIndexKey: parts only ever grow at the end.
      return <ImageDetails key={index} media={lone} requested={requested} isOne={isOne} />;
    }
    return (
      <ResultPart
        // biome-ignore lint/suspicious/noArrayIndexKey: parts only ever grow at the end.
        key={index}
        part={part}
        media={media}
        requested={requested}
        title={images > 1 ? `image ${image}` : 'image'}
        onOpen={onOpen}
      />
    );
  });
  const content = (
    <>
      {reasoning.length > 0 && <Reasoning parts={reasoning} media={media} />}
      {answer}
    </>
  );
  return (
    <article
      className={classNames(
        styles.candidate,
        lone === null ? styles.several : classNames(styles.lone, 'stack-12'),
      )}
      aria-label={number === null ? role : `${role} ${number}`}
    >
      {lone === null ? (
        <CandidateText {...props}>{content}</CandidateText>
      ) : (
        <>
          <div className={styles.frame}>
            <ResultImage
              media={lone}
              title="image"
              isPartial={isPartial(lone, parts)}
              onOpen={() => onOpen(lone.id)}
            />
          </div>
          <div className="stack-12">
            <CandidateText {...props}>{content}</CandidateText>
          </div>
        </>
      )}
    </article>
  );
}

function getOnlyImage(parts: readonly ImagePart[], media: readonly Media[]): Media | null {
  const part = parts.find((each) => each.type === 'media');
  const found = part?.type === 'media' ? media.find(({ id }) => id === part.mediaId) : undefined;
  return found ?? null;
}

/** Returns true for a streamed preview that the finished image hasn't replaced. */
function isPartial({ id }: Media, parts: readonly ImagePart[]): boolean {
  return parts.some(
    (part) => part.type === 'media' && part.mediaId === id && part.preview === true,
  );
}

function CandidateText(props: CandidateProps & { children: ReactNode }) {
  const { candidate, number, saysReason, onContinue, children } = props;
  const { finishReason } = candidate;
  return (
    <>
      <p className={classNames(styles.number, 'row-8 hint')}>
        {number !== null && <span>Image {number}</span>}
        {saysReason && finishReason !== null && (
          <span className={styles.reason}>{finishReason}</span>
        )}
      </p>
      {children}
      {candidate.revisedPrompt !== undefined && (
        <p className={classNames(styles.revised, 'hint')} dir="auto">
          Revised prompt: {candidate.revisedPrompt}
        </p>
      )}
      {onContinue !== undefined && toModelTurn(candidate) !== null && (
        <ActionBar>
          <Button size="small" onClick={onContinue}>
            Continue from here
          </Button>
        </ActionBar>
      )}
    </>
  );
}

interface ResultPartProps {
  part: ImagePart;
  media: readonly Media[];
  requested: RequestedImage;
  title: string;
  onOpen: (mediaId: string) => void;
}

function ResultPart({ part, media, requested, title, onOpen }: ResultPartProps) {
  switch (part.type) {
    case 'text':
      return (
        <p className={classNames(styles.text, 'verbatim reading')} dir="auto">
          {part.text}
        </p>
      );
    case 'media': {
      const found = media.find(({ id }) => id === part.mediaId);
      return found === undefined ? (
        <p className="row-8 caption">Saving image…</p>
      ) : (
        <CandidateImage
          media={found}
          requested={requested}
          title={title}
          isPartial={part.preview === true}
          onOpen={() => onOpen(found.id)}
        />
      );
    }
    case 'link':
      return (
        <p className={classNames(styles.text, 'verbatim reading')}>
          Image URL: <code className={classNames(styles.code, 'verbatim mono')}>{part.url}</code>
        </p>
      );
    case 'hidden':
      return null;
    case 'unknown':
      return (
        <details className={classNames(styles.unknown, 'caption')}>
          <summary>Unrecognized part</summary>
          <JsonView label="Unrecognized part" value={part.raw} />
        </details>
      );
  }
}

interface CandidateImageProps {
  media: Media;
  requested: RequestedImage;
  title: string;
  isPartial: boolean;
  onOpen: () => void;
}

function CandidateImage({ requested, ...image }: CandidateImageProps) {
  return (
    <div className={classNames(styles.image, 'stack-8')}>
      <div className={styles.frame}>
        <ResultImage {...image} />
      </div>
      <ImageDetails media={image.media} requested={requested} isOne={false} />
    </div>
  );
}

interface ImageDetailsProps extends Pick<CandidateImageProps, 'media' | 'requested'> {
  /** False beside other images, which have the same prompt and actions in the full view. */
  isOne: boolean;
}

function ImageDetails({ media, requested, isOne }: ImageDetailsProps) {
  const words = describeRequested(requested);
  const prompt = getPrompt(requested);
  const isInForm = useImageInput((input) => input.prompt.trim() === prompt.trim());
  return (
    <div className={classNames(styles.caption, 'wrap-12')}>
      <MediaFacts media={media} requested={{ aspectRatio: requested.aspectRatio }} />
      {isOne && prompt !== '' && !isInForm && (
        <span className={classNames(styles.prompt, 'hint')} title={prompt}>
          Prompt: {prompt}
        </span>
      )}
      {isOne && words !== '' && <span className="hint">Requested: {words}</span>}
      {isOne && (
        <ActionBar className={styles.imageActions}>
          <SendToButtons media={media} othersOnly />
        </ActionBar>
      )}
    </div>
  );
}

function describeReasoning(parts: readonly ImagePart[]): string {
  const drafts = parts.filter(({ type }) => type === 'media').length;
  if (parts.every((part) => part.type === 'media' && part.preview)) {
    return drafts === 1 ? '1 partial image' : `${drafts} partial images`;
  }
  if (drafts === 0) return 'Reasoning';
  return `Reasoning · ${drafts === 1 ? '1 draft image' : `${drafts} draft images`}`;
}

/** Shows thoughts and draft images in the order received. */
function Reasoning({ parts, media }: { parts: readonly ImagePart[]; media: readonly Media[] }) {
  const drafts = parts.filter(({ type }) => type === 'media').length;
  let draft = 0;
  return (
    <details className={classNames(styles.unknown, 'caption')}>
      <summary>{describeReasoning(parts)}</summary>
      {parts.map((part, index) => {
        if (part.type === 'media') draft += 1;
        return (
          <ReasoningPart
            // biome-ignore lint/suspicious/noArrayIndexKey: parts only ever grow at the end.
            key={index}
            part={part}
            media={media}
            title={drafts > 1 ? `draft ${draft}` : 'draft'}
          />
        );
      })}
    </details>
  );
}

function ReasoningPart({ part, media, title }: Omit<ResultPartProps, 'requested' | 'onOpen'>) {
  if (part.type === 'text') {
    return (
      <p className={classNames(styles.thought, 'verbatim reading')} dir="auto">
        {part.text}
      </p>
    );
  }
  const found = part.type === 'media' ? media.find(({ id }) => id === part.mediaId) : undefined;
  if (found === undefined) return null;
  return (
    <div className={classNames(styles.thought, styles.draft)}>
      <MediaView media={found} title={title} />
    </div>
  );
}
