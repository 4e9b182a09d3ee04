import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { showActivity } from '../../lib/panel-activity.ts';
import type { PanelName } from '../../lib/panels.ts';
import { getCurrentRoute } from '../../lib/route.ts';

export type TimeListener = (seconds: number) => void;

export interface PlaybackState {
  playing: boolean;
  /** Updated a few times per second; `subscribe` reports every animation frame. */
  seconds: number;
  /** `durationSeconds` is null until the duration is known. */
  durationSeconds: number | null;
  failed: boolean;
  /** 1 is normal speed. */
  speed: number;
  loop: boolean;
}

/** Wraps an `<audio>` element with its state and controls. */
export interface PlayableAudio {
  readonly element: HTMLAudioElement;
  readonly store: StoreApi<PlaybackState>;
  /** Reports the position on each frame and after seeking; returns an unsubscribe function. */
  subscribe(listener: TimeListener): () => void;
  /** Returns the current position in seconds. */
  position(): number;
  /** Switches to the complete file at the next pause or seek, so that the switch is inaudible. */
  setSource(url: string): void;
  play(): void;
  /** Pauses at `to` seconds, unless the user pauses or seeks first. */
  playStretch(from: number, to: number): void;
  pause(): void;
  toggle(): void;
  /** Doesn't change whether the audio is playing. */
  seek(seconds: number): void;
  setSpeed(speed: number): void;
  setLoop(loop: boolean): void;
  /** Volume from 0 to 1. */
  setVolume(volume: number): void;
  /** Stops playback and the request; setting a new source starts over. */
  silence(): void;
}

const atRest: PlaybackState = {
  playing: false,
  seconds: 0,
  durationSeconds: null,
  failed: false,
  speed: 1,
  loop: false,
};

/** The element that is playing; only one plays at a time. */
let audible: HTMLMediaElement | null = null;

export function createAudio(
  title: string,
  preload: 'metadata' | 'none' = 'metadata',
): PlayableAudio {
  const element = document.createElement('audio');
  element.preload = preload;
  element.setAttribute('aria-label', title);
  const store = createStore<PlaybackState>(() => atRest);
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
    store.setState({ durationSeconds: toFiniteOrNull(element.duration) }),
  );
  element.addEventListener('loadedmetadata', () => store.setState({ failed: false }));
  element.addEventListener('error', () => {
    if (element.error === null) return;
    // The growing stream failed, but the stored file is complete.
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
      // A new source resets the playback rate.
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

/** If the browser blocks autoplay, the Play button still works. */
function start(element: HTMLMediaElement): void {
  element.play().catch(() => undefined);
}

/** Returns the latest playable time; a growing file ends at the data received so far. */
function reachable({ readyState, duration, buffered }: HTMLMediaElement): number {
  // The browser seeks once it knows the duration.
  if (readyState === 0) return Number.POSITIVE_INFINITY;
  if (Number.isFinite(duration)) return duration;
  return buffered.length === 0 ? 0 : buffered.end(buffered.length - 1);
}

function toFiniteOrNull(seconds: number): number | null {
  return Number.isFinite(seconds) && seconds > 0 ? seconds : null;
}

interface ParkedAudio {
  audio: PlayableAudio;
  leave(): void;
}

/** Audio that was playing when its player was removed. */
const parked = new Map<string, ParkedAudio>();

/** The time within which a player that moves in its panel is mounted again. */
const moveMs = 300;

/** Call once the previous player has been removed. */
export function takeParked(key: string): PlayableAudio | null {
  const found = parked.get(key);
  found?.leave();
  return found?.audio ?? null;
}

export function endParked(key: string): void {
  const audio = takeParked(key);
  if (audio !== null) end(audio);
}

/** Call before removing the element, because removal stops playback. */
export function keepPlayingInBackground(key: string, audio: PlayableAudio, panel: PanelName): void {
  endParked(key);
  document.body.append(audio.element);
  const isLeft = getCurrentRoute().panel !== panel;
  if (isLeft) showActivity(panel, { mark: '♪', description: 'Playing' });
  const timer = isLeft ? undefined : setTimeout(() => endParked(key), moveMs);
  const unsubscribe = audio.store.subscribe(({ playing }) => {
    if (playing) return;
    leave();
    end(audio);
  });
  function leave(): void {
    clearTimeout(timer);
    unsubscribe();
    parked.delete(key);
    if (isLeft) showActivity(panel, undefined);
  }
  parked.set(key, { audio, leave });
}

function end(audio: PlayableAudio): void {
  audio.element.remove();
  audio.silence();
}

export interface Playback
  extends PlaybackState,
    Omit<PlayableAudio, 'element' | 'store' | 'silence'> {}

interface PlaybackOptions {
  /** The element's accessible name. */
  title: string;
  /** `url` is null if there's nothing to play yet. */
  url: string | null;
  /** Starts playback once, as soon as a URL is available. */
  autoPlay?: boolean;
  preload?: 'metadata' | 'none';
  /** Keeps playing after the user leaves the panel, until a player with the same `key` mounts. */
  playsOn?: { panel: PanelName; key: string } | null;
}

/** Plays audio through an element in `slot`. */
export function usePlayback(
  slot: RefObject<HTMLElement | null>,
  { title, url, autoPlay = false, preload = 'metadata', playsOn = null }: PlaybackOptions,
): Playback {
  const { panel = null, key = null } = playsOn ?? {};
  const [audio, setAudio] = useState(() => createAudio(title, preload));
  const started = useRef(false);
  const state = useStore(audio.store);

  // The effect cleanup runs before the DOM changes, because removing the element stops playback.
  useLayoutEffect(() => {
    // The previous player parked its audio in the same commit.
    const found = key === null ? null : takeParked(key);
    if (found !== null) {
      started.current = true;
      slot.current?.append(found.element);
      setAudio(found);
      return;
    }
    slot.current?.append(audio.element);
    return () => {
      if (panel !== null && key !== null && audio.store.getState().playing) {
        keepPlayingInBackground(key, audio, panel);
      } else audio.silence();
    };
  }, [slot, audio, panel, key]);
  // Parked audio still has the previous player's name.
  useLayoutEffect(() => audio.element.setAttribute('aria-label', title), [audio, title]);

  useEffect(() => {
    // Don't load a source into a detached element, because parked audio will replace it.
    if (url !== null && audio.element.isConnected) audio.setSource(url);
  }, [audio, url]);
  useEffect(() => {
    if (!autoPlay || url === null || started.current) return;
    started.current = true;
    audio.play();
  }, [audio, autoPlay, url]);

  return useMemo(() => {
    const { element: _, store: _store, silence: _silence, ...controls } = audio;
    return { ...state, ...controls };
  }, [audio, state]);
}
