import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { CompletionIcon } from '../../ui/icons/panels.tsx';

const example = 'The lighthouse keeper had not expected visitors, least of all by balloon.';

interface CompletionExampleProps {
  blockedReason: string | null;
  onExample: (prompt: string) => void;
}

export function CompletionExample({ blockedReason, onExample }: CompletionExampleProps) {
  return (
    <section aria-label="Result" style={{ display: 'contents' }}>
      <EmptyState
        icon={<CompletionIcon size={20} />}
        title="Start a text, and the model goes on"
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
