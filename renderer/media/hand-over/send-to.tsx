import type { Media } from '../../../shared/media.ts';
import { type PanelName, panelLabel } from '../../lib/panels.ts';
import { useRoute } from '../../lib/route.ts';
import { Button } from '../../ui/button.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { type HandedOver, handOver, type TakingPanel } from './hand-over.ts';

/** The panels that can go on with a medium, the likeliest first. */
export function panelsFor({
  kind,
  channels,
}: Pick<Media, 'kind'> & Partial<Pick<Media, 'channels'>>): readonly TakingPanel[] {
  switch (kind) {
    case 'image':
      return ['image', 'chat', 'video'];
    case 'audio':
      return ['transcription', 'chat'];
    case 'video':
      return channels == null ? ['chat'] : ['chat', 'transcription'];
    case 'file':
      return ['chat'];
  }
}

/** The panels that can go on with a text. */
const panelsForText: readonly TakingPanel[] = ['chat', 'rerank', 'speech'];

/** `Send to chat`; in the panel itself it goes to the prompt that stands above. */
export function sendLabel(panel: TakingPanel, from: PanelName): string {
  return panel === from ? 'Attach to prompt' : `Send to ${panelLabel(panel).toLowerCase()}`;
}

/** Every way on for a medium, as buttons. */
export function SendToButtons({ media }: { media: Media }) {
  const { panel: from } = useRoute();
  if (!media.complete) return null;
  return panelsFor(media).map((panel) => (
    <Button
      key={panel}
      size="small"
      variant="quiet"
      onClick={(event) => {
        // The full view would cover where it goes.
        event.currentTarget.closest('dialog')?.requestClose();
        handOver(panel, { kind: 'media', media });
      }}
    >
      {sendLabel(panel, from)}
    </Button>
  ));
}

/** The same as one button, where there is little room. */
export function SendToMenu({ media }: { media: Media }) {
  const { panel: from } = useRoute();
  if (!media.complete) return null;
  return <SendMenu items={sendItems(media, from)} />;
}

/** As entries of a menu. */
export function sendItems(media: Media, from: PanelName): MenuItem[] {
  return panelsFor(media).map((panel) => ({
    id: panel,
    label: sendLabel(panel, from),
    onSelect: () => handOver(panel, { kind: 'media', media }),
  }));
}

interface SendTextMenuProps {
  text: string;
  /** One per line, where a list of documents is wanted; the text's own lines unless given. */
  documents?: string;
}

/** The ways on for a text. */
export function SendTextMenu({ text, documents = text }: SendTextMenuProps) {
  const { panel: from } = useRoute();
  if (text.trim() === '') return null;
  const items = panelsForText
    .filter((panel) => panel !== from)
    .map((panel): MenuItem => {
      const item: HandedOver = { kind: 'text', text: panel === 'rerank' ? documents : text };
      return { id: panel, label: sendLabel(panel, from), onSelect: () => handOver(panel, item) };
    });
  return <SendMenu items={items} />;
}

function SendMenu({ items }: { items: readonly MenuItem[] }) {
  return <Menu label="Send to" trigger="Send to…" size="small" align="end" items={items} />;
}
