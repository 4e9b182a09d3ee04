import type { Media } from '../../../../shared/media.ts';
import type { AudioState } from '../../../../shared/operations/chat/state.ts';
import { AudioPlayer } from '../../../media/players/audio-player.tsx';
import { useMedia } from '../../../media/players/use-media.ts';
import { Markdown } from '../../../ui/markdown/markdown.tsx';
import styles from '../messages/message.module.css';

interface AnswerAudioProps {
  audio: AudioState;
  running: boolean;
}

/** Samples without a header, which no player knows. */
function isRaw({ kind, type }: Media): boolean {
  return kind !== 'audio' || /pcm|\/l16/i.test(type);
}

/** Streamed sound has no header: the convention is 24 kHz, 16 bit, mono. */
const STREAMED = { sampleRate: 24_000, channels: 1 };

/** A spoken answer, heard while it still arrives, with its words. */
export function AnswerAudio({ audio, running }: AnswerAudioProps) {
  const { media, isPending } = useMedia(audio.media);
  return (
    <div className={styles.spoken}>
      {media !== null && (
        <AudioPlayer
          media={media}
          title="Spoken answer"
          {...(isRaw(media) ? { pcm: STREAMED } : {})}
        />
      )}
      {media === null && audio.media !== null && !isPending && (
        <p className={styles.outcome}>The sound of this answer is no longer stored.</p>
      )}
      {audio.transcript !== '' && <Markdown text={audio.transcript} streaming={running} />}
      {audio.expiresAt !== null && (
        <p className={styles.audioFacts}>
          The gateway keeps it as {audio.id ?? 'an unnamed sound'} until{' '}
          {new Date(audio.expiresAt * 1000).toLocaleString()}.
        </p>
      )}
    </div>
  );
}
