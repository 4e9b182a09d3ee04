import { showActivity } from '../../lib/panel-activity.ts';
import type { PanelName } from '../../lib/panels.ts';
import type { Sound } from './sound.ts';

interface ParkedSound {
  sound: Sound;
  /** Stops watching it. */
  leave(): void;
}

/** Sounds whose player went away with its panel, and that play on until it is back. */
const parked = new Map<string, ParkedSound>();

export function findParked(key: string): Sound | null {
  return parked.get(key)?.sound ?? null;
}

/** Its player is here again. */
export function unpark(key: string): void {
  parked.get(key)?.leave();
}

/** Call it while the element is in the page still: one that is taken out of it stops. */
export function park(key: string, sound: Sound, panel: PanelName): void {
  unpark(key);
  document.body.append(sound.element);
  showActivity(panel, { mark: '♪', description: 'Playing' });
  const unsubscribe = sound.store.subscribe(({ playing }) => {
    if (playing) return;
    leave();
    sound.element.remove();
    sound.silence();
  });
  function leave(): void {
    unsubscribe();
    parked.delete(key);
    showActivity(panel, undefined);
  }
  parked.set(key, { sound, leave });
}
