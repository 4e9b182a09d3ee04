import type { OperationName } from '../../../shared/operations/operation-name.ts';
import type { Form } from '../../run/form/form.ts';
import { setParameter } from '../../run/form/parameters.ts';
import { EmptyResult } from '../../run/frame/empty-result.tsx';
import { Button } from '../../ui/button.tsx';
import { TranscriptionIcon } from '../../ui/icons/panels.tsx';

/** What comes here, and the settings that make the most of it. */
export function TranscriptionIntro({ form }: { form: Form<OperationName> }) {
  function askForTimes() {
    setParameter(form, 'response_format', 'verbose_json');
    setParameter(form, 'timestamp_granularities', ['word', 'segment']);
  }

  return (
    <EmptyResult
      icon={<TranscriptionIcon size={20} />}
      title="Record or choose audio, and read what was said"
      action={<Button onClick={askForTimes}>Ask for the time of each word</Button>}
    >
      With times, a click on a word plays it, and the transcript can be saved as subtitles.
    </EmptyResult>
  );
}
