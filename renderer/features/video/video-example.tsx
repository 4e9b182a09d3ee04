import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { VideoIcon } from '../../ui/icons/panels.tsx';

const example = 'A drawbridge opens over a moat at dawn, slow pan from the left.';

interface VideoExampleProps {
  blockedReason: string | null;
  onExample: (prompt: string) => void;
}

export function VideoExample({ blockedReason, onExample }: VideoExampleProps) {
  return (
    <section aria-label="Result">
      <EmptyState
        icon={<VideoIcon size={20} />}
        title="Describe a scene, and a task makes the video"
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
