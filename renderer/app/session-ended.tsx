import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { KeyIcon } from '../ui/icons/status.tsx';

/** The host no longer knows this page's session, which ends with it: only a fresh address helps. */
export function SessionEnded() {
  return (
    <main style={{ display: 'flex', height: '100%' }}>
      <div role="alert" style={{ display: 'flex', flex: 1 }}>
        <EmptyState
          icon={<KeyIcon size={20} />}
          title="Gatehouse was restarted, or this page is not signed in"
          action={<Button onClick={() => location.reload()}>Reload the page</Button>}
        >
          Open the address printed in the terminal; Enter prints a fresh one there. Everything
          recorded is kept.
        </EmptyState>
      </div>
    </main>
  );
}
