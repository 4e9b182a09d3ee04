import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { showActivity } from '../../lib/panel-activity.ts';
import type { PanelName } from '../../lib/panels.ts';
import { currentRoute } from '../../lib/route.ts';

export type TimeListener = (seconds: number) => void;

export interface SoundState {
  playing: boolean;
  /** Updated a few times a second; `subscribe` reports each animation frame. */
  seconds: number;
  /** Null while it is not known. */
  durationSeconds: number | null;
  failed: boolean;
  /** 1 is natural. */
  speed: number;
  loop: boolean;
}

/** An `<audio>` element, its state and its controls. */
export interface Sound {
  readonly element: HTMLAudioElement;
  readonly store: StoreApi<SoundState>;
  /** The position, each animation frame while it plays and after each jump. Returns the function that ends it. */
  subscribe(listener: TimeListener): () => void;
  /** Seconds, at this moment. */
  position(): number;
  /** From the growing file to the whole one: that waits for a pause or a jump, so that it is inaudible. */
  setSource(url: string): void;
  play(): void;
  /** Pauses at `to`, unless the user jumps or pauses before. Seconds. */
  playStretch(from: number, to: number): void;
  pause(): void;
  toggle(): void;
  /** Keeps playing, or stays paused. */
  seek(seconds: number): void;
  setSpeed(speed: number): void;
  setLoop(loop: boolean): void;
  /** 0 to 1, of the volume that the system has. */
  setVolume(volume: number): void;
  /** Also ends the request that fills it. A new source wakes it again. */
  silence(): void;
}

const atRest: SoundState = {
  playing: false,
  seconds: 0,
  durationSeconds: null,
  failed: false,
  speed: 1,
  loop: false,
};

/** Only one sound at a time. */
let audible: HTMLMediaElement | null = null;

export function createSound(title: string, preload: 'metadata' | 'none' = 'metadata'): Sound {
  const element = document.createElement('audio');
  element.preload = preload;
  element.setAttribute('aria-label', title);
  const store = createStore<SoundState>(() => atRest);
  const listeners = new Set<TimeListener>();
  let frame = 0;
  let nextUrl: string | null = null;
  let stopAt: number | null = null;

  function showTime(): void {
    store.setState({ seconds: element.currentTime });
    notify(element.currentTime);
  }

  function notify(seconds: number): void {
    if (stopAt !== null && seconds >= stopAt && !element.paused) element.pause();
    for (const listener of listeners) listener(seconds);
  }

  function tick(): void {
    if (element.paused) return;
    notify(element.currentTime);
    frame = requestAnimationFrame(tick);
  }

  function exchangeSource(): void {
    if (nextUrl === null) return;
    const { currentTime, paused, ended } = element;
    element.src = nextUrl;
    nextUrl = null;
    if (!ended) element.currentTime = currentTime;
    if (!paused) start(element);
  }

  function seek(to: number): void {
    if (!element.hasAttribute('src')) return;
    exchangeSource();
    stopAt = null;
    const target = Math.max(0, Math.min(to, reachable(element)));
    element.currentTime = target;
    store.setState({ seconds: target });
    notify(target);
  }

  element.addEventListener('play', () => {
    if (audible !== element) audible?.pause();
    audible = element;
    store.setState({ playing: true });
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(tick);
  });
  element.addEventListener('pause', () => {
    stopAt = null;
    cancelAnimationFrame(frame);
    store.setState({ playing: false });
    showTime();
    exchangeSource();
  });
  element.addEventListener('timeupdate', showTime);
  element.addEventListener('seeked', showTime);
  element.addEventListener('durationchange', () =>
    store.setState({ durationSeconds: finiteOrNull(element.duration) }),
  );
  element.addEventListener('loadedmetadata', () => store.setState({ failed: false }));
  element.addEventListener('error', () => {
    if (element.error === null) return;
    // The stream of a growing file broke; what is stored by now is whole.
    if (nextUrl !== null) exchangeSource();
    else store.setState({ failed: true, playing: false });
  });

  return {
    element,
    store,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    position: () => element.currentTime,
    setSource(url) {
      const current = element.getAttribute('src');
      if (current === url) return;
      if (current === null) {
        element.src = url;
        return;
      }
      nextUrl = url;
      if (element.paused || element.error !== null) exchangeSource();
    },
    play: () => start(element),
    playStretch(from, to) {
      seek(from);
      stopAt = to;
      start(element);
    },
    pause: () => element.pause(),
    setVolume(volume) {
      element.volume = Math.max(0, Math.min(1, volume));
    },
    toggle() {
      if (store.getState().playing) element.pause();
      else start(element);
    },
    seek,
    setSpeed(speed) {
      // A new source begins at the default rate.
      element.defaultPlaybackRate = speed;
      element.playbackRate = speed;
      store.setState({ speed });
    },
    setLoop(loop) {
      element.loop = loop;
      store.setState({ loop });
    },
    silence() {
      cancelAnimationFrame(frame);
      if (audible === element) audible = null;
      nextUrl = null;
      element.pause();
      element.removeAttribute('src');
      element.load();
    },
  };
}

/** A browser that refuses to start by itself leaves the button for it. */
function start(element: HTMLMediaElement): void {
  element.play().catch(() => undefined);
}

/** A file that still grows is playable as far as it has arrived. */
function reachable({ readyState, duration, buffered }: HTMLMediaElement): number {
  // Just begun: the browser goes there once it knows how long it is.
  if (readyState === 0) return Number.POSITIVE_INFINITY;
  if (Number.isFinite(duration)) return duration;
  return buffered.length === 0 ? 0 : buffered.end(buffered.length - 1);
}

function finiteOrNull(seconds: number): number | null {
  return Number.isFinite(seconds) && seconds > 0 ? seconds : null;
}

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
