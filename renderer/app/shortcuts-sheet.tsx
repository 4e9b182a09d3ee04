import { Dialog } from '../ui/dialog.tsx';
import { ShortcutList } from '../ui/shortcut-list.tsx';

/** Every keyboard shortcut, opened with `?`. */
export function ShortcutsSheet({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open title="Keyboard shortcuts" size="large" onClose={onClose}>
      <ShortcutList />
    </Dialog>
  );
}
