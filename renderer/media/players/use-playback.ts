import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { PanelName } from '../../lib/panels.ts';
import { keepPlayingInBackground, takeParked } from './parked-sounds.ts';
import { createSound, type Sound, type SoundState } from './sound.ts';

export interface Playback extends SoundState, Omit<Sound, 'element' | 'store' | 'silence'> {}

interface PlaybackOptions {
  /** The element's accessible name. */
  title: string;
  /** Null while there is nothing to play. */
  url: string | null;
  /** Starts it once, as soon as there is something to play. */
  autoPlay?: boolean;
  preload?: 'metadata' | 'none';
  /** It plays on when that panel is left, and is found again under `key`. */
  playsOn?: { panel: PanelName; key: string } | null;
}

/** A sound whose `<audio>` element is in `slot`. */
export function usePlayback(
  slot: RefObject<HTMLElement | null>,
  { title, url, autoPlay = false, preload = 'metadata', playsOn = null }: PlaybackOptions,
): Playback {
  const { panel = null, key = null } = playsOn ?? {};
  const [sound, setSound] = useState(() => createSound(title, preload));
  const started = useRef(false);
  const state = useStore(sound.store);

  // Before the DOM changes: an element that is removed and not put back at once stops.
  useLayoutEffect(() => {
    // Only now: a player that this one follows in the same commit has just parked it.
    const found = key === null ? null : takeParked(key);
    if (found !== null) {
      started.current = true;
      slot.current?.append(found.element);
      setSound(found);
      return;
    }
    slot.current?.append(sound.element);
    return () => {
      if (panel !== null && key !== null && sound.store.getState().playing) {
        keepPlayingInBackground(key, sound, panel);
      } else sound.silence();
    };
  }, [slot, sound, panel, key]);
  // One that was parked has another player's.
  useLayoutEffect(() => sound.element.setAttribute('aria-label', title), [sound, title]);

  useEffect(() => {
    // Not in the page: it makes way for a parked one.
    if (url !== null && sound.element.isConnected) sound.setSource(url);
  }, [sound, url]);
  useEffect(() => {
    if (!autoPlay || url === null || started.current) return;
    started.current = true;
    sound.play();
  }, [sound, autoPlay, url]);

  return useMemo(() => {
    const { element: _, store: _store, silence: _silence, ...controls } = sound;
    return { ...state, ...controls };
  }, [sound, state]);
}
