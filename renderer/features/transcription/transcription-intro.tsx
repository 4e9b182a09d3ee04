import type { OperationDescription } from '../../../shared/operations/form/description.ts';
import { useDrafts } from '../../run/form/drafts.ts';
import { EmptyResult } from '../../run/frame/empty-result.tsx';
import { Button } from '../../ui/button.tsx';
import { TranscriptionIcon } from '../../ui/icons/panels.tsx';

interface TranscriptionIntroProps {
  /** Null while it is loading. */
  description: OperationDescription | null;
}

/** What comes here, and the settings that make the most of it. */
export function TranscriptionIntro({ description }: TranscriptionIntroProps) {
  const { setParameter } = useDrafts.getState();

  function askForTimes(operation: OperationDescription) {
    setParameter(operation, 'response_format', 'verbose_json');
    setParameter(operation, 'timestamp_granularities', ['word', 'segment']);
  }

  return (
    <EmptyResult
      icon={<TranscriptionIcon size={20} />}
      title="Record or choose audio, and read what was said"
      action={
        description && (
          <Button onClick={() => askForTimes(description)}>Ask for the time of each word</Button>
        )
      }
    >
      With times, a click on a word plays it, and the transcript can be saved as subtitles.
    </EmptyResult>
  );
}
