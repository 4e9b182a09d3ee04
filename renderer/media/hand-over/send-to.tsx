import type { Media } from '../../../shared/media.ts';
import { type PanelName, panelLabel } from '../../lib/panels.ts';
import { useRoute } from '../../lib/route.ts';
import { Button } from '../../ui/button.tsx';
import { SendIcon } from '../../ui/icons/actions.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { type ReceivingPanel, sendToPanel } from './hand-over.ts';

/** The panels that accept a medium, the likeliest first. */
export function panelsFor({
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

/** The panels that accept a text. */
const panelsForText: readonly ReceivingPanel[] = ['chat', 'rerank', 'speech'];

/** In the panel itself it goes to what is being written there; a panel that is not here has no use for its own. */
const hereLabels: Partial<Record<PanelName, string>> = {
  chat: 'Attach to message',
  image: 'Attach to prompt',
  video: 'Use as starting image',
};

/** Each of the panels with its label, `Send to chat`, seen from the panel that is shown. */
export function sendTargets(
  panels: readonly ReceivingPanel[],
  from: PanelName,
): { panel: ReceivingPanel; label: string }[] {
  return panels.flatMap((panel) => {
    const label = panel === from ? hereLabels[panel] : `Send to ${panelLabel(panel).toLowerCase()}`;
    return label === undefined ? [] : { panel, label };
  });
}

/** Every panel that accepts the medium, as buttons. */
export function SendToButtons({ media, onSend }: { media: Media; onSend?: () => void }) {
  const { panel: from } = useRoute();
  if (!media.complete) return null;
  return sendTargets(panelsFor(media), from).map(({ panel, label }) => (
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

/** The same as one button, where there is little room. */
export function SendToMenu({ media }: { media: Media }) {
  const { panel: from } = useRoute();
  if (!media.complete) return null;
  const items = sendTargets(panelsFor(media), from).map(
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
  /** The run that brought it. */
  runId: string;
  /** One per line, where a list of documents is wanted; the text's own lines unless given. */
  documents?: string;
}

/** The panels that accept the text, as one button. */
export function SendTextMenu({ text, runId, documents = text }: SendTextMenuProps) {
  const { panel: from } = useRoute();
  if (text.trim() === '') return null;
  return (
    <SendMenu
      items={textTargets(from, runId, (panel) => (panel === 'rerank' ? documents : text))}
    />
  );
}

interface SendTextButtonProps {
  label: string;
  /** Called when it is sent: a long text is not joined before it is wanted. */
  text: () => string;
  /** The run that brought it. */
  runId: string;
}

/** The same as an icon, in a row of icons. */
export function SendTextButton({ label, text, runId }: SendTextButtonProps) {
  const { panel: from } = useRoute();
  return (
    <Menu
      label={label}
      icon={<SendIcon size={14} />}
      size="small"
      items={textTargets(from, runId, text)}
    />
  );
}

function textTargets(
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
  if (items.length === 0) return null;
  return <Menu label="Send to" trigger="Send to…" size="small" align="end" items={items} />;
}
