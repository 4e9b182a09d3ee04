import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ImageIcon } from '../../ui/icons/panels.tsx';

const example = 'A gatehouse between two green hills in the evening sun, as a woodcut.';

interface ImageExampleProps {
  blockedReason: string | null;
  onExample: (prompt: string) => void;
}

export function ImageExample({ blockedReason, onExample }: ImageExampleProps) {
  return (
    <section aria-label="Result">
      <EmptyState
        icon={<ImageIcon size={20} />}
        title="Describe a picture, or attach one to change"
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
