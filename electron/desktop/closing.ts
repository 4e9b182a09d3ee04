/** What happens when the last window is closed while runs are going on. */
import { type BrowserWindow, dialog } from 'electron';

export type ClosingChoice = 'background' | 'quit' | 'stay';

/** Keep running in the background, quit, or stay. */
export async function askBeforeClosing(
  window: BrowserWindow,
  activeRuns: number,
): Promise<ClosingChoice> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    message:
      activeRuns === 1 ? 'One run is still going on.' : `${activeRuns} runs are still going on.`,
    detail:
      'In the background they go on, and a notification tells when they are done; start Gatehouse again to see them. Quitting stops them; what has arrived is kept.',
    buttons: ['Keep running in the background', 'Quit', 'Cancel'],
    defaultId: 0,
    cancelId: 2,
    noLink: true,
  });
  const choices: ClosingChoice[] = ['background', 'quit', 'stay'];
  return choices[response] ?? 'stay';
}
