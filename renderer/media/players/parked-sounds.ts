import { showActivity } from '../../lib/panel-activity.ts';
import type { PanelName } from '../../lib/panels.ts';
import { currentRoute } from '../../lib/route.ts';
import type { Sound } from './sound.ts';

interface ParkedSound {
  sound: Sound;
  /** Stops watching it. */
  leave(): void;
}

/** Sounds whose player went away while they played. */
const parked = new Map<string, ParkedSound>();

/** A player on its way from one place of a panel to another waits for its run at most. */
const moveMs = 300;

/** For the player that is here again. Call it once the players before it are gone. */
export function takeParked(key: string): Sound | null {
  const found = parked.get(key);
  found?.leave();
  return found?.sound ?? null;
}

/** What it played is not wanted in its panel any more. */
export function endParked(key: string): void {
  const sound = takeParked(key);
  if (sound !== null) end(sound);
}

/**
 * Call it while the element is still in the page: removing it stops it. A sound keeps playing until its
 * panel is back; in the shown panel another player adopts it at once, or it ends.
 */
export function keepPlayingInBackground(key: string, sound: Sound, panel: PanelName): void {
  endParked(key);
  document.body.append(sound.element);
  const isLeft = currentRoute().panel !== panel;
  if (isLeft) showActivity(panel, { mark: '♪', description: 'Playing' });
  const timer = isLeft ? undefined : setTimeout(() => endParked(key), moveMs);
  const unsubscribe = sound.store.subscribe(({ playing }) => {
    if (playing) return;
    leave();
    end(sound);
  });
  function leave(): void {
    clearTimeout(timer);
    unsubscribe();
    parked.delete(key);
    if (isLeft) showActivity(panel, undefined);
  }
  parked.set(key, { sound, leave });
}

function end(sound: Sound): void {
  sound.element.remove();
  sound.silence();
}
