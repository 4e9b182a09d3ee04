import type { ConversationSummary } from '../../../../shared/conversation.ts';
import { formatCount } from '../../../lib/format-quantity.ts';
import { ArchiveIcon, FolderIcon } from '../../../ui/icons/actions.tsx';
import { ChevronDownIcon, ChevronRightIcon } from '../../../ui/icons/status.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { openFolderDialog, toggleArchived, toggleFolder } from '../conversation/chat-store.ts';
import styles from './conversation-list.module.css';
import { getSectionItems } from './conversation-menu.tsx';
import type { ListLine } from './list-lines.ts';

interface SectionRowProps {
  line: Extract<ListLine, { kind: 'section' }>;
  conversations: readonly ConversationSummary[];
  tabIndex: number;
}

/** Renders the heading of a folder or the archive, which expands and collapses its rows. */
export function SectionRow({ line, conversations, tabIndex }: SectionRowProps) {
  const { section, title, count, open } = line;
  const isFolder = section.kind === 'folder';
  const Icon = isFolder ? FolderIcon : ArchiveIcon;
  const toggle = () => (isFolder ? toggleFolder(section.name) : toggleArchived());
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the key events come from the buttons inside.
    <div
      className={styles.row}
      data-row={line.key}
      onKeyDown={(event) => {
        if (event.key !== 'F2' || !isFolder) return;
        event.preventDefault();
        openFolderDialog({ folder: section.name });
      }}
    >
      <button
        type="button"
        tabIndex={tabIndex}
        className={styles.section}
        aria-expanded={open}
        title={title}
        onClick={toggle}
      >
        {open ? <ChevronDownIcon size={14} /> : <ChevronRightIcon size={14} />}
        <Icon size={14} />
        <span className="truncate" dir="auto">
          {title}
        </span>
        {count > 0 && <span className={styles.count}>{formatCount(count)}</span>}
      </button>
      {conversations.length > 0 && (
        <Menu
          label={`Actions for ${title}`}
          size="small"
          className={styles.actions}
          tabIndex={-1}
          items={getSectionItems(section, conversations)}
        />
      )}
    </div>
  );
}
