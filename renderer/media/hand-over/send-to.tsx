import type { Media } from '../../../shared/media.ts';
import { getPanelLabel, type PanelName } from '../../lib/panels.ts';
import { useRoute } from '../../lib/route.ts';
import { Button } from '../../ui/button.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { type ReceivingPanel, sendToPanel } from './hand-over.ts';

/** Returns the panels that accept the media item, most likely first. */
export function listTargetPanels({
  kind,
  channels,
}: Pick<Media, 'kind'> & Partial<Pick<Media, 'channels'>>): readonly ReceivingPanel[] {
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

const panelsForText: readonly ReceivingPanel[] = ['chat', 'rerank', 'speech'];

/** Labels for the current panel, which say where in its form the item goes. */
const hereLabels: Partial<Record<PanelName, string>> = {
  chat: 'Attach to message',
  image: 'Attach to prompt',
  video: 'Use as first frame',
};

/** Labels panels relative to the current panel, such as `Send to chat`. */
export function sendTargets(
  panels: readonly ReceivingPanel[],
  from: PanelName,
): { panel: ReceivingPanel; label: string }[] {
  return panels.flatMap((panel) => {
    const label =
      panel === from ? hereLabels[panel] : `Send to ${getPanelLabel(panel).toLowerCase()}`;
    return label === undefined ? [] : { panel, label };
  });
}

interface SendToButtonsProps {
  media: Media;
  onSend?: () => void;
  /** Leaves out the current panel, because its action is elsewhere. */
  othersOnly?: boolean;
}

export function SendToButtons({ media, onSend, othersOnly = false }: SendToButtonsProps) {
  const { panel: from } = useRoute();
  if (!media.complete) return null;
  const panels = listTargetPanels(media).filter((panel) => !othersOnly || panel !== from);
  return sendTargets(panels, from).map(({ panel, label }) => (
    <Button
      key={panel}
      size="small"
      variant="quiet"
      onClick={() => {
        onSend?.();
        sendToPanel(panel, { kind: 'media', media });
      }}
    >
      {label}
    </Button>
  ));
}

export function SendToMenu({ media }: { media: Media }) {
  const { panel: from } = useRoute();
  if (!media.complete) return null;
  const items = sendTargets(listTargetPanels(media), from).map(
    ({ panel, label }): MenuItem => ({
      id: panel,
      label,
      onSelect: () => sendToPanel(panel, { kind: 'media', media }),
    }),
  );
  return <SendMenu items={items} />;
}

interface SendTextMenuProps {
  text: string;
  /** The run that produced the text. */
  runId: string;
  /** One document per line; defaults to the lines of `text`. */
  documents?: string;
}

export function SendTextMenu({ text, runId, documents = text }: SendTextMenuProps) {
  const { panel: from } = useRoute();
  if (text.trim() === '') return null;
  return (
    <SendMenu
      items={getTextTargets(from, runId, (panel) => (panel === 'rerank' ? documents : text))}
    />
  );
}

/** Returns menu items that send the text of a run to panels. `textFor` is called only on send. */
export function getTextTargets(
  from: PanelName,
  runId: string,
  textFor: (panel: ReceivingPanel) => string,
): MenuItem[] {
  const others = panelsForText.filter((panel) => panel !== from);
  return sendTargets(others, from).map(({ panel, label }) => ({
    id: panel,
    label,
    onSelect: () => sendToPanel(panel, { kind: 'text', text: textFor(panel), runId }),
  }));
}

function SendMenu({ items }: { items: readonly MenuItem[] }) {
  const [only] = items;
  if (only === undefined) return null;
  if (items.length === 1) {
    return (
      <Button size="small" variant="quiet" onClick={only.onSelect}>
        {only.label}
      </Button>
    );
  }
  return <Menu label="Send to" trigger="Send to…" size="small" align="end" items={items} />;
}
