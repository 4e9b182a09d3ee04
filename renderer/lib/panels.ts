/** The panels in the order of the nav rail; `label` is the exact accessible name. */
export const panels = [
  { name: 'chat', label: 'Chat' },
  { name: 'completion', label: 'Completion' },
  { name: 'image', label: 'Image' },
  { name: 'video', label: 'Video' },
  { name: 'rerank', label: 'Rerank' },
  { name: 'speech', label: 'Speech' },
  { name: 'transcription', label: 'Transcription' },
  { name: 'console', label: 'Console' },
  { name: 'history', label: 'History' },
  { name: 'settings', label: 'Settings' },
] as const;

export type PanelName = (typeof panels)[number]['name'];

export function isPanelName(name: string): name is PanelName {
  return panels.some((panel) => panel.name === name);
}
