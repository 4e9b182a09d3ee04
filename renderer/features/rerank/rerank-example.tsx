import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { RerankIcon } from '../../ui/icons/panels.tsx';

export const exampleQuery = 'How do I keep a sourdough starter alive?';
export const exampleDocuments = [
  'The bridge opens for ships every morning at seven.',
  'Feed the starter with equal parts of flour and water, once a day when it stands in the kitchen.',
  'A cast iron pan is seasoned with oil and heat.',
  'In the fridge a sourdough starter keeps for two weeks between feedings.',
  'Rye flour wakes a tired starter faster than wheat does.',
];

interface RerankExampleProps {
  blockedReason: string | null;
  onExample: () => void;
}

export function RerankExample({ blockedReason, onExample }: RerankExampleProps) {
  return (
    <section aria-label="Result" style={{ display: 'contents' }}>
      <EmptyState
        icon={<RerankIcon size={20} />}
        title="Which document answers best?"
        action={
          <Button disabledReason={blockedReason} onClick={onExample}>
            Run an example
          </Button>
        }
      >
        Five short documents, ordered by how well they answer “{exampleQuery}”
      </EmptyState>
    </section>
  );
}
