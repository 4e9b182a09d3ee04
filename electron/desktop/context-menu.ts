/** Builds the context menu with editing, spelling, image and link items. */
import {
  type BrowserWindow,
  type ContextMenuParams,
  clipboard,
  Menu,
  type MenuItemConstructorOptions,
  type WebContents,
} from 'electron';
import { getMediaDownloadUrl } from '../../shared/media.ts';
import { sanitizeLink } from '../../shared/outside-link.ts';
import { PAGE_ORIGIN } from './page-protocol.ts';

type Items = MenuItemConstructorOptions[];

export interface ContextMenuOptions {
  openLink: (url: string) => void;
  log: (line: string) => void;
}

export function offerContextMenu(window: BrowserWindow, options: ContextMenuOptions): void {
  const contents = window.webContents;
  contents.on('context-menu', (_event, params) => {
    const groups = [
      listSpellingItems(params, contents),
      listImageItems(params, contents),
      linkItems(params, options),
      createEditItems(params),
    ].filter((items) => items.length > 0);
    if (groups.length === 0) return;
    const template = groups.flatMap(
      (items, at): Items => (at === 0 ? items : [{ type: 'separator' }, ...items]),
    );
    const { frame, menuSourceType, x, y } = params;
    Menu.buildFromTemplate(template).popup({
      window,
      ...(frame === null ? {} : { frame }),
      sourceType: menuSourceType,
      // A menu opened with the keyboard appears at the text cursor.
      ...(menuSourceType === 'keyboard' ? { x, y } : {}),
    });
  });
}

/** Ignores `spellcheckEnabled`, which is false on some systems that have suggestions. */
function listSpellingItems(
  { isEditable, misspelledWord, dictionarySuggestions }: ContextMenuParams,
  contents: WebContents,
): Items {
  if (!isEditable || misspelledWord === '') return [];
  const suggestions = dictionarySuggestions.map(
    (word): MenuItemConstructorOptions => ({
      label: word,
      click: () => contents.replaceMisspelling(word),
    }),
  );
  return [
    ...(suggestions.length > 0 ? suggestions : [{ label: 'No Suggestions', enabled: false }]),
    {
      label: 'Add to Dictionary',
      click: () => contents.session.addWordToSpellCheckerDictionary(misspelledWord),
    },
  ];
}

function listImageItems(
  { mediaType, hasImageContents, srcURL, x, y }: ContextMenuParams,
  contents: WebContents,
): Items {
  if (mediaType !== 'image' || !hasImageContents) return [];
  const id = getMediaId(srcURL);
  return [
    { label: 'Copy Image', click: () => contents.copyImageAt(x, y) },
    ...(id === null
      ? []
      : [
          {
            label: 'Save Image…',
            // The response determines the file name, and Electron asks for the folder.
            click: () => contents.downloadURL(PAGE_ORIGIN + getMediaDownloadUrl(id)),
          },
        ]),
  ];
}

function getMediaId(url: string): string | null {
  return /^app:\/\/gatehouse\/media\/([\w-]+)(?:\?|$)/.exec(url)?.[1] ?? null;
}

function linkItems({ linkURL }: ContextMenuParams, { openLink, log }: ContextMenuOptions): Items {
  if (sanitizeLink(linkURL) === null) return [];
  return [
    { label: 'Open Link', click: () => openLink(linkURL) },
    {
      label: 'Copy Link',
      click: () =>
        void clipboard
          .writeText(linkURL)
          .catch((cause: unknown) => log(`copying a link: ${String(cause)}`)),
    },
  ];
}

function createEditItems({ isEditable, selectionText, editFlags }: ContextMenuParams): Items {
  if (isEditable) {
    return [
      { role: 'cut', enabled: editFlags.canCut },
      { role: 'copy', enabled: editFlags.canCopy },
      { role: 'paste', enabled: editFlags.canPaste },
      { role: 'pasteAndMatchStyle', enabled: editFlags.canPaste },
      { role: 'selectAll', enabled: editFlags.canSelectAll },
    ];
  }
  if (selectionText.trim() === '') return [];
  return [
    { role: 'copy', enabled: editFlags.canCopy },
    { role: 'selectAll', enabled: editFlags.canSelectAll },
  ];
}
