import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SpeechIcon } from '../../ui/icons/panels.tsx';

const example = 'The gate is open. Mind the step, and welcome to the house.';

interface SpeechExampleProps {
  blockedReason: string | null;
  onExample: (text: string) => void;
}

export function SpeechExample({ blockedReason, onExample }: SpeechExampleProps) {
  return (
    <section aria-label="Result" style={{ display: 'contents' }}>
      <EmptyState
        icon={<SpeechIcon size={20} />}
        title="Write a text, and hear it spoken"
        action={
          <Button disabledReason={blockedReason} onClick={() => onExample(example)}>
            Run an example
          </Button>
        }
      >
        “{example}”
      </EmptyState>
    </section>
  );
}
